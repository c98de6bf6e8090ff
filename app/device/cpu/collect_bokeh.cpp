#include "app/device/cpu/collect_bokeh.h"

#include <algorithm>
#include <bit>
#include <glm/vec3.hpp>
#include <stdexcept>
#include <string>

namespace satdof {

namespace {

class Image {
 public:
  Image(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
        const BokehRule& rule)
      : colour_(colour), depth_(depth), size_(size), rule_(rule) {}

  // Writes the sprite whose first pixel is (x, y). Returns false if no sprite starts there.
  bool spriteFrom(int x, int y, BokehSprite& sprite) const {
    const glsl::Highlight first = at(x, y);
    if (first.kind == 0) return false;
    const int side = 1 << glsl::cellLevel(first.kind);
    const int left = x & -side, bottom = y & -side;
    const int right = std::min(left + side, size_.x), top = std::min(bottom + side, size_.y);
    glsl::BokehMoments sum = glsl::noMoments();
    for (int cy = bottom; cy < top; ++cy)
      for (int cx = left; cx < right; ++cx) {
        const glsl::Highlight other = at(cx, cy);
        if (other.kind != first.kind) continue;
        if (cy < y || (cy == y && cx < x)) return false;
        sum = glsl::withHighlight(sum, other, glm::vec2(cx - x, cy - y));
      }
    sprite = std::bit_cast<BokehSprite>(glsl::spriteTexels(sum, glm::vec2(x, y), depth_[pixel(x, y)]));
    return true;
  }

 private:
  std::size_t pixel(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(x);
  }
  glsl::Highlight at(int x, int y) const {
    return glsl::highlightOf(glm::vec3(colour_[pixel(x, y)]),
                             glsl::signedRadius(rule_.lens, depth_[pixel(x, y)]), rule_.threshold,
                             rule_.minRadiusPx);
  }

  std::span<const glm::vec4> colour_;
  std::span<const float> depth_;
  glm::ivec2 size_;
  BokehRule rule_;
};

}  // namespace

void collectBokehSprites(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                         const BokehRule& rule, std::size_t capacity, std::vector<BokehSprite>& sprites) {
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  if (colour.size() != pixels || depth.size() != pixels)
    throw std::runtime_error("cannot collect bokeh sprites: an image of " + std::to_string(size.x) + "x" +
                             std::to_string(size.y) + " needs " + std::to_string(pixels) +
                             " colours and depths, not " + std::to_string(colour.size()) + " colours and " +
                             std::to_string(depth.size()) + " depths");
  sprites.clear();
  const Image image(colour, depth, size, rule);
  BokehSprite sprite;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x && sprites.size() < capacity; ++x)
      if (image.spriteFrom(x, y, sprite)) sprites.push_back(sprite);
  std::stable_sort(sprites.begin(), sprites.end(),
                   [](const BokehSprite& a, const BokehSprite& b) { return a.depth < b.depth; });
}

}  // namespace satdof
