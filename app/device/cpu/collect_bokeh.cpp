#include "app/device/cpu/collect_bokeh.h"

#include <algorithm>
#include <glm/vec3.hpp>
#include <stdexcept>
#include <string>

namespace satdof {

namespace {

struct Highlight {
  glsl::uint kind;  // 0: none
  float radiusPx, depth;
  glm::vec3 light;
};

class Image {
 public:
  Image(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
        const BokehRule& rule)
      : colour_(colour), depth_(depth), size_(size), rule_(rule) {}

  // The sprite whose first pixel is (x, y), if there is one. Neighbours of its cell are looked at.
  bool spriteFrom(int x, int y, BokehSprite& sprite) {
    const Highlight first = at(x, y);
    if (first.kind == 0) return false;
    const int side = 1 << glsl::cellLevel(first.kind);
    const int left = x & -side, bottom = y & -side;
    const int right = std::min(left + side, size_.x), top = std::min(bottom + side, size_.y);
    sprite = {.depth = first.depth};
    float meanX = 0.0f, meanY = 0.0f;
    for (int cy = bottom; cy < top; ++cy)
      for (int cx = left; cx < right; ++cx) {
        const Highlight other = at(cx, cy);
        if (other.kind != first.kind) continue;
        if (cy < y || (cy == y && cx < x)) return false;
        const float w = glsl::luminance(other.light.r, other.light.g, other.light.b);
        const auto fromX = static_cast<float>(cx - x), fromY = static_cast<float>(cy - y);
        meanX += w * fromX;
        meanY += w * fromY;
        sprite.varianceX += w * fromX * fromX;
        sprite.covariance += w * fromX * fromY;
        sprite.varianceY += w * fromY * fromY;
        sprite.luminance += w;
        sprite.pixels += 1.0f;
        sprite.radiusPx += w * other.radiusPx;
        sprite.r += other.light.r;
        sprite.g += other.light.g;
        sprite.b += other.light.b;
      }
    meanX /= sprite.luminance;
    meanY /= sprite.luminance;
    sprite.xPx = static_cast<float>(x) + 0.5f + meanX;
    sprite.yPx = static_cast<float>(y) + 0.5f + meanY;
    sprite.radiusPx /= sprite.luminance;
    sprite.varianceX = std::max(sprite.varianceX / sprite.luminance - meanX * meanX, 0.0f);
    sprite.covariance = sprite.covariance / sprite.luminance - meanX * meanY;
    sprite.varianceY = std::max(sprite.varianceY / sprite.luminance - meanY * meanY, 0.0f);
    return true;
  }

 private:
  Highlight at(int x, int y) {
    const auto pixel =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(x);
    const glm::vec3 colour(colour_[pixel]);
    const float radiusPx = glsl::signedRadius(rule_.lens, depth_[pixel]);
    const float part = glsl::highlightPart(glsl::luminance(colour.r, colour.g, colour.b), radiusPx,
                                           rule_.threshold, rule_.minRadiusPx);
    return {part > 0.0f ? glsl::highlightKind(radiusPx) : 0, radiusPx, depth_[pixel], colour * part};
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
    throw std::runtime_error("cannot collect the highlights of " + std::to_string(colour.size()) +
                             " colours and " + std::to_string(depth.size()) + " depths: an image of " +
                             std::to_string(size.x) + "x" + std::to_string(size.y) + " has " +
                             std::to_string(pixels));
  sprites.clear();
  Image image(colour, depth, size, rule);
  BokehSprite sprite;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x && sprites.size() < capacity; ++x)
      if (image.spriteFrom(x, y, sprite)) sprites.push_back(sprite);
  std::stable_sort(sprites.begin(), sprites.end(),
                   [](const BokehSprite& a, const BokehSprite& b) { return a.depth < b.depth; });
}

}  // namespace satdof
