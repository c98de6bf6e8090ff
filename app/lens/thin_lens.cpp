#include "app/lens/thin_lens.h"

#include <algorithm>
#include <cmath>

namespace satdof {

ThinLens thinLens(const LensSettings& lens, int heightPx, float nearM) {
  const double f = lens.focalLengthMm * 1e-3;
  const double focus = std::max<double>(lens.focusDistanceM, nearestFocus(f));
  const double k = f * f * heightPx / (2.0 * lens.fNumber * (focus - f) * lens.sensorHeightMm * 1e-3);
  return {.alpha = static_cast<float>(-k * focus / nearM),
          .beta = static_cast<float>(k),
          .nearScale = lens.nearScale,
          .farScale = lens.farScale,
          .anamorphicRatio = lens.anamorphicRatio};
}

float largestRadiusPx(const ThinLens& lens, const SceneFacts& scene) {
  return std::max(std::abs(radiusPx(lens, 0.0f)), std::abs(radiusPx(lens, scene.nearM / scene.nearestM)));
}

}  // namespace satdof
