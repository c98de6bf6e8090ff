#pragma once
#include <cmath>
#include <cstddef>
#include <glm/vec2.hpp>

namespace satdof {

// A rectangle of pixels.
struct PixelRectangle {
  glm::ivec2 from{0}, size{0};
  glm::ivec2 to() const { return from + size; }  // the end, which the rectangle excludes
  bool empty() const { return size.x <= 0 || size.y <= 0; }
  bool operator==(const PixelRectangle&) const = default;
};

// Images are stored row by row.

inline std::size_t pixelCount(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

// Returns the index of `pixel` in an image of this size.
inline std::size_t pixelIndex(glm::ivec2 size, glm::ivec2 pixel) {
  return static_cast<std::size_t>(pixel.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(pixel.x);
}

// Whether two images have the same aspect ratio, within 2 %.
inline bool sameAspect(glm::ivec2 a, glm::ivec2 b) {
  return std::abs(static_cast<double>(a.x) * b.y / (static_cast<double>(a.y) * b.x) - 1.0) < 0.02;
}

}  // namespace satdof
