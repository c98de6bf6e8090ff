#pragma once
#include <cstddef>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/pixels.h"

namespace satdof {

// Returns the size of an image after applyOrientation().
inline glm::ivec2 orientedSize(glm::ivec2 size, int orientation) {
  return orientation > 4 && orientation <= 8 ? glm::ivec2(size.y, size.x) : size;
}

// Rotates and mirrors an image by its EXIF orientation (1 to 8). Bottom row first before and after; `channels` elements
// a pixel.
template <class T>
void applyOrientation(std::vector<T>& pixels, glm::ivec2& size, std::size_t channels, int orientation) {
  if (orientation <= 1 || orientation > 8) return;
  const glm::ivec2 stored = size, last = stored - 1, shown = orientedSize(stored, orientation);
  // Returns the stored pixel of a shown pixel, both from the top left.
  const auto source = [&](int x, int y) -> glm::ivec2 {
    switch (orientation) {
      case 2:
        return {last.x - x, y};
      case 3:
        return {last.x - x, last.y - y};
      case 4:
        return {x, last.y - y};
      case 5:
        return {y, x};
      case 6:
        return {y, last.y - x};
      case 7:
        return {last.x - y, last.y - x};
      default:
        return {last.x - y, x};
    }
  };
  std::vector<T> turned(pixels.size());
  for (int y = 0; y < shown.y; ++y)
    for (int x = 0; x < shown.x; ++x) {
      const glm::ivec2 from = source(x, y);
      const auto at = [&](glm::ivec2 extent, int px, int py) {
        return channels * pixelIndex(extent, {px, extent.y - 1 - py});
      };
      for (std::size_t c = 0; c < channels; ++c) turned[at(shown, x, y) + c] = pixels[at(stored, from.x, from.y) + c];
    }
  pixels = std::move(turned);
  size = shown;
}

}  // namespace satdof
