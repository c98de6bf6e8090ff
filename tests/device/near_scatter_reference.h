#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "shaders/lens/near_scatter.h"

namespace satdof::test {

// A scatter of a random image.
struct ScatterCase {
  int width, height;
  float largestDepth = 1.0f;  // radii are 5 - 10 depth pixels
  float anamorphicRatio = 1.0f;
  float catEye = 0.0f;
  float nearScale = 1.0f;
  ScatterBand band = ScatterRule{}.band;

  ScatterRule rule(int steps) const {
    return {
        .lens = {.alpha = -10.0f, .beta = 5.0f, .nearScale = nearScale, .anamorphicRatio = anamorphicRatio},
        .aperture = {.axisPx = 0.4f * glm::vec2(width, height), .catEye = catEye, .anamorphicRatio = anamorphicRatio},
        .band = band,
        .steps = steps};
  }
};

inline void PrintTo(const ScatterCase& c, std::ostream* out) {
  *out << c.width << "x" << c.height << ", depths to " << c.largestDepth << ", anamorphicRatio " << c.anamorphicRatio
       << ", catEye " << c.catEye << ", nearScale " << c.nearScale << ", band from " << c.band.fromPx << " to "
       << c.band.untilPx;
}

// The cases of every device, from discs of a pixel to discs wider than the image, and `more`.
inline std::vector<ScatterCase> scatterCases(std::initializer_list<ScatterCase> more) {
  std::vector<ScatterCase> cases = {{1, 1},
                                    {1, 33},
                                    {33, 1},
                                    {3, 5, 4.0f},
                                    {17, 65, 2.0f, 2.0f},
                                    {65, 17, 9.0f},
                                    {131, 150, 1.5f},
                                    {97, 61, 4.0f, 1.0f, 0.015f},
                                    {61, 97, 4.0f, 1.6f, 0.08f}};
  cases.insert(cases.end(), more);
  return cases;
}

// Colour, exact in half precision, and depth.
struct ScatterImage {
  int width = 0, height = 0;
  std::vector<std::array<float, 4>> colour;
  std::vector<float> depth;
};

inline ScatterImage randomScatterImage(const ScatterCase& of) {
  std::mt19937 random(2009);
  ScatterImage image{of.width, of.height, {}, {}};
  for (int i = 0; i < of.width * of.height; ++i) {
    const auto channel = [&] { return static_cast<float>(random() % 1800) / (random() % 9 == 0 ? 16.0f : 1024.0f); };
    image.colour.push_back({channel(), channel(), channel(), 1.0f});
    image.depth.push_back(of.largestDepth * static_cast<float>(random() % 100003) / 100003.0f);
  }
  return image;
}

// The definition of the near scatter, one pixel at a time. Light that leaves the image is mirrored back, so
// every rectangle becomes up to nine rectangles inside the image, each with four differences. Four words a
// pixel, modulo 2^32.
inline std::vector<std::uint32_t> scatterReference(const ScatterImage& image, const ScatterRule& rule) {
  const int width = image.width, height = image.height;
  std::vector<std::uint32_t> words(std::size_t{4} * static_cast<std::size_t>(width * height));
  const auto mirrored = [](int low, int high, int size) {
    std::vector<std::pair<int, int>> pieces;
    const auto keep = [&](int from, int to) {
      if (std::max(from, 0) < std::min(to, size)) pieces.emplace_back(std::max(from, 0), std::min(to, size));
    };
    keep(low, high);
    keep(-std::min(high, 0), -low);
    keep(2 * size - high, 2 * size - std::max(low, size));
    return pieces;
  };
  const auto add = [&](int x, int y, int channel, std::uint32_t v) {
    if (x < width && y < height) words[static_cast<std::size_t>(4 * (y * width + x) + channel)] += v;
  };
  const auto radiusAt = [&](int x, int y) {
    const int inX = std::clamp(x, 0, width - 1), inY = std::clamp(y, 0, height - 1);
    const float depth = image.depth[static_cast<std::size_t>(inY * width + inX)];
    return glsl::scaledRadius(glsl::thinLensRadius(depth, rule.lens.alpha, rule.lens.beta), rule.lens.nearScale, 1.0f);
  };
  const float anamorphicRatio = rule.lens.anamorphicRatio;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto pixel = static_cast<std::size_t>(y * width + x);
      const float r = radiusAt(x, y);
      const float part = glsl::scatteredPart(r, rule.band);
      if (part <= 0) continue;
      const glsl::CutDisc cut = glsl::cutDisc(rule.aperture, glm::vec2(x, y) + 0.5f, r);
      const float ratio = cut.ratio;
      const int disc = glsl::discIndex(cut.radius);
      const auto weights = glsl::nearWeights(part, cut.radius, glsl::discArea(rule.steps, disc, ratio),
                                             glsl::discArea(rule.steps, disc + 1, ratio));
      for (const int n : {disc, disc + 1}) {
        const glm::ivec2 leaning = glsl::leaningShift(cut, n);
        const int midX = std::clamp(
            x + leaning.x + glsl::discShift(radiusAt(x - 1, y), r, radiusAt(x + 1, y), anamorphicRatio), 0, width - 1);
        const int midY =
            std::clamp(y + leaning.y + glsl::discShift(radiusAt(x, y - 1), r, radiusAt(x, y + 1), 1.0f), 0, height - 1);
        for (int i = 0; i < glsl::stairRectangles(rule.steps); ++i) {
          const int halfX = glsl::stairHalfWidthX(rule.steps, i, n, ratio);
          const int halfY = glsl::stairHalfWidthY(rule.steps, i, n);
          for (const auto& [x0, x1] : mirrored(midX - halfX, midX + halfX + 1, width))
            for (const auto& [y0, y1] : mirrored(midY - halfY, midY + halfY + 1, height))
              for (int c = 0; c < 4; ++c) {
                std::uint32_t v =
                    glsl::scatterWord(c == 3 ? 1.0f : image.colour[pixel][static_cast<std::size_t>(c)],
                                      n == disc ? weights.inner : weights.outer, static_cast<std::uint32_t>(x),
                                      static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(c));
                if (glsl::stairSign(rule.steps, i) < 0) v = 0u - v;
                add(x0, y0, c, v);
                add(x1, y0, c, 0u - v);
                add(x0, y1, c, 0u - v);
                add(x1, y1, c, v);
              }
        }
      }
    }
  return words;
}

}  // namespace satdof::test
