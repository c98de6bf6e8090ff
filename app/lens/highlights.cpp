#include "app/lens/highlights.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace satdof {

namespace {

// shaders/highlights.glsl as C++, its functions as members.
struct HighlightsShader {
  static float abs(float v) { return std::abs(v); }
  static float min(float a, float b) { return std::min(a, b); }
  static float max(float a, float b) { return std::max(a, b); }
#include "shaders/highlights.glsl"
};

}  // namespace

void collectHighlights(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                       const HighlightRule& rule, std::size_t capacity,
                       std::vector<HighlightSprite>& sprites) {
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  if (colour.size() != pixels || depth.size() != pixels)
    throw std::runtime_error("cannot collect the highlights of " + std::to_string(colour.size()) +
                             " colours and " + std::to_string(depth.size()) + " depths: a picture of " +
                             std::to_string(size.x) + "x" + std::to_string(size.y) + " has " +
                             std::to_string(pixels));
  sprites.clear();
  HighlightsShader shader;
  for (std::size_t pixel = 0; pixel < pixels && sprites.size() < capacity; ++pixel) {
    const glm::vec4& c = colour[pixel];
    const float unscaledPx = rule.alpha * depth[pixel] + rule.beta;
    const float radiusPx = unscaledPx * (unscaledPx < 0.0f ? rule.nearScale : rule.farScale);
    const float part =
        shader.highlightPart(shader.luminance(c.r, c.g, c.b), radiusPx, rule.threshold, rule.minRadiusPx);
    if (part <= 0.0f) continue;
    const auto width = static_cast<std::size_t>(size.x);
    sprites.push_back({static_cast<float>(pixel % width) + 0.5f, static_cast<float>(pixel / width) + 0.5f,
                       radiusPx, depth[pixel], c.r * part, c.g * part, c.b * part, part});
  }
  std::stable_sort(sprites.begin(), sprites.end(),
                   [](const HighlightSprite& a, const HighlightSprite& b) { return a.depth < b.depth; });
}

}  // namespace satdof
