#include "app/lens/tent/plan.h"

#include <algorithm>
#include <cmath>

namespace satdof {

namespace {

constexpr double kFewestLevels = 0x1p8;
constexpr double kMaxLevels = 0x1p22;  // a float still resolves fractions of a level
// With fewer levels the ceiling falls first, from kMaxCeiling to kMinCeiling, then the step of linear light grows.
constexpr double kStep = 0x1p-9, kMinCeiling = 4.0, kMaxCeiling = 64.0;

// `count` levels of light fit in 32-bit tables of an image shrunk by `shrink`, for tents of half-widths up to `widest`
// + 1 cells.
struct Levels {
  int shrink = 1, widest = 1;
  double count = 0;
};

// An upper bound of the weight (r_x r_y)^2 of tent n, whose half-widths are tentHalfWidths() in
// shaders/lens/tent/tent.glsl.
double tentWeight(int n, double anamorphicRatio) {
  const double square = double(n) * n;
  return square * std::pow(std::ceil(std::sqrt(1.0 + (square - 1.0) * anamorphicRatio * anamorphicRatio)), 2);
}

// The levels of light for tents up to n. One more is reserved for rounding and dithering.
double mostLevels(int n, double anamorphicRatio) {
  return std::floor((0x1p32 - 1) / tentWeight(n, anamorphicRatio)) - 1;
}

// The levels for discs up to this radius R: at full size, else at half size, else for tents that are too narrow.
// Along y a disc has the variance R^2 / 4, a tent of n cells (n^2 - 1) / 6.
Levels levelsFor(double radiusPx, double anamorphicRatio) {
  for (const int shrink : {1, 2}) {
    const int widest = static_cast<int>(std::sqrt(1.0 + 1.5 * radiusPx * radiusPx / (shrink * shrink)));
    const double count = mostLevels(widest + 1, anamorphicRatio);
    if (count >= kFewestLevels) return {shrink, widest, std::min(count, kMaxLevels)};
  }
  int widest = 1;
  while (mostLevels(widest + 2, anamorphicRatio) >= kFewestLevels) ++widest;
  return {2, widest, mostLevels(widest + 1, anamorphicRatio)};
}

}  // namespace

glsl::TentRule tentRule(const LensSettings& lens, const SceneFacts& scene) {
  const double radiusPx = std::min(kThinLensRule.largestRadiusPx(lens, scene), 1e6f);
  const Levels levels = levelsFor(radiusPx, double(lens.anamorphicRatio));
  const double ceiling = std::clamp(levels.count * kStep, kMinCeiling, kMaxCeiling);
  const double scale = levels.count / (ceiling * levels.shrink * levels.shrink);
  return {kThinLensRule.values(lens, scene).lens,
          (scene.size + levels.shrink - 1) / levels.shrink,
          levels.shrink,
          levels.widest,
          static_cast<float>(scale),
          static_cast<float>(ceiling)};
}

LensGraph tentGraph(const LensFacts& facts) {
  using enum GraphImage::Texels;
  using enum GraphImage::Extent;
  const glsl::TentRule rule = tentRule(facts.lens, facts.scene);
  const bool whole = rule.shrink == 1;
  LensGraph graph;
  const ImageId cells = graph.add(words4, whole ? image : half);
  const ImageId once = graph.add(words4, whole ? table : halfTable);
  const ImageId twice = graph.add(words4, whole ? table : halfTable);
  graph.shownTable = twice;
  graph.shownScale = rule.scale;
  graph.steps = {PassStep{glsl::TentCellRule{rule}, {kColour}, {cells}}, TableStep{cells, once}, TableStep{once, twice},
                 PassStep{rule, {kColour, kDepth, twice}, {kOutput}}};
  return graph;
}

}  // namespace satdof
