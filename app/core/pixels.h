#pragma once
#include <cstddef>
#include <glm/vec2.hpp>

// Images stored row by row.
namespace satdof {

inline std::size_t pixelCount(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

// Of the pixel `p` in an image of this size.
inline std::size_t pixelIndex(glm::ivec2 size, glm::ivec2 p) {
  return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(p.x);
}

}  // namespace satdof
