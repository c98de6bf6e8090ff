#pragma once
#include <algorithm>
#include <glm/vec2.hpp>

#include "app/device/cpu/vector4.h"

namespace satdof {

// Box sums from an inclusive summed-area table in main memory. Vector: Uint4 or Float4. Uint8 stands for two
// neighbouring elements; only at() and offset() make sense then.
template <class Vector>
class SumTable {
 public:
  SumTable(const void* elements, glm::ivec2 size)
      : elements_(static_cast<const std::uint32_t*>(elements)), size_(size) {}
  glm::ivec2 size() const { return size_; }

  // The sum over [0, x] x [0, y]; 0 if either is -1.
  SATDOF_INLINE Vector upTo(int x, int y) const { return std::min(x, y) < 0 ? Vector{} : at(offset(x, y)); }
  SATDOF_INLINE Vector at(std::ptrdiff_t offset) const { return loadVector<Vector>(elements_ + 4 * offset); }
  SATDOF_INLINE std::ptrdiff_t offset(int x, int y) const { return static_cast<std::ptrdiff_t>(y) * size_.x + x; }

  // Sum over the box of half-widths `reach` around p, clamped to the image.
  SATDOF_INLINE Vector around(glm::ivec2 p, glm::ivec2 reach) const {
    const int left = std::max(p.x - reach.x, 0) - 1, right = std::min(p.x + reach.x, size_.x - 1);
    const int below = std::max(p.y - reach.y, 0) - 1, above = std::min(p.y + reach.y, size_.y - 1);
    return (upTo(right, above) - upTo(left, above)) - (upTo(right, below) - upTo(left, below));
  }

  // Whether the box of half-widths `reach` around p is inside the image and contains neither row 0 nor column 0.
  SATDOF_INLINE bool isInside(glm::ivec2 p, glm::ivec2 reach) const {
    return p.x > reach.x && p.y > reach.y && p.x + reach.x < size_.x && p.y + reach.y < size_.y;
  }
  // around() for a box that isInside().
  SATDOF_INLINE Vector aroundInside(glm::ivec2 p, glm::ivec2 reach) const {
    const std::ptrdiff_t above = offset(p.x, p.y + reach.y), below = offset(p.x, p.y - reach.y - 1);
    const std::ptrdiff_t left = -reach.x - 1, right = reach.x;
    return (at(above + right) - at(above + left)) - (at(below + right) - at(below + left));
  }

 private:
  const std::uint32_t* elements_;
  glm::ivec2 size_;
};

}  // namespace satdof
