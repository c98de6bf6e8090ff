#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "shaders/bokeh/bokeh.h"

namespace satdof {

struct HighlightPixel {
  float r, g, b, depth;
};

inline double luminanceOf(const HighlightPixel& p) { return 0.2126 * p.r + 0.7152 * p.g + 0.0722 * p.b; }

inline double radiusPxOf(const HighlightPixel& p, const BokehRule& rule) {
  const double radius = double(rule.lens.alpha) * p.depth + rule.lens.beta;
  return radius * (radius < 0 ? rule.lens.nearScale : rule.lens.farScale);
}

// The part of a pixel's light that becomes a sprite.
inline double highlightPartOf(const HighlightPixel& p, const BokehRule& rule) {
  const double bright = std::clamp(luminanceOf(p) / rule.threshold - 1, 0.0, 1.0);
  const double blurred = std::clamp(std::abs(radiusPxOf(p, rule)) / rule.minRadiusPx - 1, 0.0, 1.0);
  const double shaped = std::clamp(2 - std::abs(radiusPxOf(p, rule)) / rule.maxRadiusPx, 0.0, 1.0);
  return bright * blurred * shaped;
}

// A kind, counted in quarters of octaves of |R| from |R| = 1, and its part of a highlight.
struct KindPart {
  int kind;
  double part;
};

inline int cellSideOf(int kind) { return kind < 8 ? 1 : kind < 12 ? 2 : kind < 16 ? 4 : kind < 20 ? 8 : 16; }

// The kind of the radius and the next kind. The next kind's part grows linearly over the last quarter of a kind, or
// over the last half where the next kind has larger cells.
inline std::array<KindPart, 2> kindsOf(double radiusPx) {
  const double size = std::abs(radiusPx), octave = std::floor(std::log2(size)),
               quarters = 4 * (octave + size / std::exp2(octave) - 1);
  const int kind = static_cast<int>(std::floor(quarters)), side = cellSideOf(kind), nextSide = cellSideOf(kind + 1);
  const double from = nextSide > side ? 0.5 : 0.75;
  const double next = nextSide == 1 ? 0.0 : std::max((quarters - kind - from) / (1 - from), 0.0);
  return {KindPart{kind, 1 - next}, KindPart{kind + 1, next}};
}

// The definition in double precision. One sprite stands for the highlights of a cell whose R have the same
// sign, octave and quarter of the octave: for their light, its centre and its variance. A highlight may belong to two
// kinds in part. None if there are more than `capacity`; else sorted by first pixel, even kind, odd kind, then by
// depth.
inline std::vector<BokehSprite> referenceSprites(std::span<const HighlightPixel> pixels, int width,
                                                 const BokehRule& rule, std::size_t capacity) {
  struct Moments {
    int firstPixel;
    bool odd;
    double weight = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, radius = 0, r = 0, g = 0, b = 0;
    int pixels = 0;
  };
  std::map<std::tuple<bool, int, int, int>, Moments> cells;
  for (int i = 0; i < static_cast<int>(pixels.size()); ++i) {
    const HighlightPixel& p = pixels[static_cast<std::size_t>(i)];
    const double radius = radiusPxOf(p, rule);
    if (highlightPartOf(p, rule) <= 0) continue;
    for (const auto& [kind, ofKind] : kindsOf(radius)) {
      const double part = highlightPartOf(p, rule) * ofKind;
      if (part <= 0) continue;
      const int side = cellSideOf(kind);
      const double x = i % width + 0.5, y = i / width + 0.5, weight = part * luminanceOf(p);
      Moments& m = cells.try_emplace({radius < 0, kind, i % width / side, i / width / side}, Moments{i, kind % 2 != 0})
                       .first->second;
      m.weight += weight;
      m.x += weight * x;
      m.y += weight * y;
      m.xx += weight * x * x;
      m.xy += weight * x * y;
      m.yy += weight * y * y;
      ++m.pixels;
      m.radius += weight * radius;
      m.r += part * p.r;
      m.g += part * p.g;
      m.b += part * p.b;
    }
  }
  std::vector<Moments> byPixel;
  for (const auto& [cell, moments] : cells) byPixel.push_back(moments);
  std::ranges::sort(byPixel, {}, [](const Moments& m) { return std::pair(m.firstPixel, m.odd); });
  if (byPixel.size() > capacity) byPixel.clear();
  std::vector<BokehSprite> sprites;
  for (const Moments& m : byPixel) {
    const double x = m.x / m.weight, y = m.y / m.weight;
    sprites.push_back({.xPx = static_cast<float>(x),
                       .yPx = static_cast<float>(y),
                       .radiusPx = static_cast<float>(m.radius / m.weight),
                       .depth = pixels[static_cast<std::size_t>(m.firstPixel)].depth,
                       .r = static_cast<float>(m.r),
                       .g = static_cast<float>(m.g),
                       .b = static_cast<float>(m.b),
                       .pixels = static_cast<float>(m.pixels),
                       .varianceX = static_cast<float>(m.xx / m.weight - x * x),
                       .covariance = static_cast<float>(m.xy / m.weight - x * y),
                       .varianceY = static_cast<float>(m.yy / m.weight - y * y),
                       .luminance = static_cast<float>(m.weight)});
  }
  std::ranges::stable_sort(sprites, {}, &BokehSprite::depth);
  return sprites;
}

// Whether two sprites are equal up to rounding.
inline bool sameSprite(const BokehSprite& a, const BokehSprite& b) {
  const auto near = [](float one, float other) {
    return std::abs(one - other) <= 1e-3f * std::max(1.0f, std::abs(one));
  };
  return near(a.xPx, b.xPx) && near(a.yPx, b.yPx) && near(a.radiusPx, b.radiusPx) && a.depth == b.depth &&
         near(a.r, b.r) && near(a.g, b.g) && near(a.b, b.b) && a.pixels == b.pixels && near(a.varianceX, b.varianceX) &&
         near(a.covariance, b.covariance) && near(a.varianceY, b.varianceY) && near(a.luminance, b.luminance);
}

}  // namespace satdof
