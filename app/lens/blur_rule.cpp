#include "app/lens/blur_rule.h"

#include <algorithm>

#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

// The radius of a disc whose box has the half-width gemsMaxRadiusPx in an image 1080 pixels high.
float fullLinearRadiusPx(const LensSettings& lens, const SceneFacts& scene) {
  return lens.gemsMaxRadiusPx / glsl::boxHalfWidth(1.0f) * static_cast<float>(scene.sensorPx()) / 1080.0f;
}

}  // namespace

const BlurRule kThinLensRule{false,
                             [](const LensSettings& lens, const SceneFacts& scene) {
                               return largestRadiusPx(thinLens(lens, scene.sensorPx(), scene.nearM), scene) *
                                      std::max({lens.nearScale, lens.farScale, 0.0f});
                             },
                             [](const LensSettings& lens, const SceneFacts& scene) {
                               return RadiusRule{.lens = thinLens(lens, scene.sensorPx(), scene.nearM)};
                             }};

const BlurRule kLinearRule{true, fullLinearRadiusPx, [](const LensSettings& lens, const SceneFacts& scene) {
                             return RadiusRule{.lens = {},
                                               .linear = 1,
                                               .nearM = scene.nearM,
                                               .focusM = lens.focusDistanceM,
                                               .rangeM = lens.gemsFocusRangeM,
                                               .fullRadiusPx = fullLinearRadiusPx(lens, scene)};
                           }};

}  // namespace satdof
