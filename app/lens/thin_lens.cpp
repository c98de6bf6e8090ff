#include "app/lens/thin_lens.h"

#include <algorithm>
#include <cmath>

namespace satdof {

namespace {

double boxArea(double heightPx, float anamorphicRatio, glm::ivec2 size) {
  return std::min<double>((heightPx - 1) * double(anamorphicRatio) + 1, size.x) *
         std::min<double>(heightPx, size.y);
}

}  // namespace

ThinLens thinLens(const LensSettings& lens, int heightPx, float nearM) {
  const double f = lens.focalLengthMm * 1e-3;
  const double focus = std::max<double>(lens.focusDistanceM, f * 1.001);
  const double k = f * f * heightPx / (2.0 * lens.fNumber * (focus - f) * lens.sensorHeightMm * 1e-3);
  return {.alpha = static_cast<float>(-k * focus / nearM),
          .beta = static_cast<float>(k),
          .nearScale = lens.nearScale,
          .farScale = lens.farScale,
          .anamorphicRatio = lens.anamorphicRatio};
}

float largestRadiusPx(const ThinLens& lens, const SceneFrame& scene) {
  return std::max(std::abs(radiusPx(lens, 0.0f)), std::abs(radiusPx(lens, scene.nearM / scene.nearestM)));
}

float boxHalfWidthPx(float radiusPx) { return glsl::boxHalfWidth(radiusPx); }

float fixedPointCeiling(float halfWidthPx, glm::ivec2 size, float anamorphicRatio) {
  const double area = boxArea(2.0 * halfWidthPx + 5.0, anamorphicRatio, size);
  return static_cast<float>(std::clamp(0x1p20 / area, 4.0, 64.0));
}

float fixedPointScale(float halfWidthPx, glm::ivec2 size, float ceiling, float anamorphicRatio) {
  const double area = boxArea(2.0 * std::ceil(halfWidthPx) + 3.0, anamorphicRatio, size);
  const double largestExact = std::nextafter((0x1p32 / area - 0.5) / ceiling, 0.0);
  int exponent = 0;
  std::frexp(std::min(largestExact, 0x1p23 / ceiling), &exponent);
  return std::ldexp(1.0f, exponent - 1);
}

}  // namespace satdof
