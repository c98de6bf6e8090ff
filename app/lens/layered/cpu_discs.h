#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "app/lens/sum_table.h"
#include "shaders/lens/aperture/staircase.h"

namespace satdof {

// Sum over a staircase disc around p, clamped to the image. half(i): the half-widths of rectangle i.
template <class Half>
SATDOF_INLINE inline Uint4 discSum(const SumTable<Uint4>& table, glm::ivec2 p, int steps, const Half& half) {
  Uint4 sum{};
  for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
    const Uint4 box = table.around(p, half(i));
    sum = glsl::stairSign(steps, i) > 0 ? sum + box : sum - box;
  }
  return sum;
}

// A staircase disc. halves: the half-widths of each rectangle; reach: the largest of them, in pixels. plus, minus:
// offsets of the table elements to add and to subtract, relative to the element of the centre.
struct DiscCorners {
  std::array<glm::ivec2, glsl::kMaxRectangles> halves{};
  std::array<std::ptrdiff_t, 2 * glsl::kMaxRectangles> plus{}, minus{};
  glm::ivec2 reach{0};
};

// Staircase discs 0 to `most`, for tables of one size.
class Discs {
 public:
  Discs(glm::ivec2 size, int steps, float anamorphicRatio, int most)
      : rectangles_(glsl::stairRectangles(steps)), steps_(steps), discs_(static_cast<std::size_t>(most) + 1) {
    const SumTable<Uint4> table(nullptr, size);
    for (int n = 0; n <= most; ++n) {
      DiscCorners& disc = discs_[static_cast<std::size_t>(n)];
      for (int i = 0; i < rectangles_; ++i) {
        const glm::ivec2 half = glsl::stairHalf(steps, i, n, anamorphicRatio);
        const std::array same = {table.offset(half.x, half.y), table.offset(-half.x - 1, -half.y - 1)};
        const std::array other = {table.offset(-half.x - 1, half.y), table.offset(half.x, -half.y - 1)};
        const bool added = glsl::stairSign(steps, i) > 0;
        const auto at = 2 * static_cast<std::ptrdiff_t>(i);
        std::ranges::copy(added ? same : other, disc.plus.begin() + at);
        std::ranges::copy(added ? other : same, disc.minus.begin() + at);
        disc.halves[static_cast<std::size_t>(i)] = half;
        disc.reach = glm::max(disc.reach, half);
      }
    }
  }

  // Whether disc n around the pixels p to p + (width - 1, 0) is inside the image and contains neither row 0 nor column
  // 0.
  SATDOF_INLINE bool inside(glm::ivec2 size, glm::ivec2 p, int width, int n) const {
    const glm::ivec2 reach = discs_[static_cast<std::size_t>(n)].reach;
    return p.x > reach.x && p.y > reach.y && p.x + reach.x + width <= size.x && p.y + reach.y < size.y;
  }

  // Sum over disc n around p; for Vector = Uint8, also around its right neighbour. All discs must be inside().
  template <class Vector>
  SATDOF_INLINE Vector sumInside(const SumTable<Vector>& table, glm::ivec2 p, int n) const {
    const DiscCorners& disc = discs_[static_cast<std::size_t>(n)];
    const std::ptrdiff_t at = table.offset(p.x, p.y);
    Vector sum{};
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(rectangles_); ++i)
      sum += table.at(at + disc.plus[i]) - table.at(at + disc.minus[i]);
    return sum;
  }

  // Sum over disc n around p, clamped to the image.
  SATDOF_INLINE Uint4 sum(const SumTable<Uint4>& table, glm::ivec2 p, int n) const {
    if (inside(table.size(), p, 1, n)) return sumInside(table, p, n);
    const DiscCorners& disc = discs_[static_cast<std::size_t>(n)];
    return discSum(table, p, steps_, [&](int i) SATDOF_INLINE { return disc.halves[static_cast<std::size_t>(i)]; });
  }

 private:
  int rectangles_, steps_;
  std::vector<DiscCorners> discs_;
};

}  // namespace satdof
