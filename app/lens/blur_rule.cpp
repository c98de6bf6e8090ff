#include "app/lens/blur_rule.h"

#include <algorithm>

#include "app/lens/circle_of_confusion.h"

namespace satdof {

namespace {

CircleOfConfusion thinLens(const LensSettings& lens, const SceneFrame& scene) {
  return circleOfConfusion(lens, scene.size.y, scene.nearM);
}

// gemsMaxRadiusPx is the half-width of the box at a height of 1080.
float fullLinearRadiusPx(const LensSettings& lens, const SceneFrame& scene) {
  return lens.gemsMaxRadiusPx / boxHalfWidthPx(1.0f) * static_cast<float>(scene.size.y) / 1080.0f;
}

}  // namespace

const BlurRule kThinLensRule{
    "BLUR_THIN_LENS",
    [](const LensSettings& lens, const SceneFrame& scene) {
      return largestRadiusPx(thinLens(lens, scene), scene) * std::max({lens.nearScale, lens.farScale, 0.0f});
    },
    [](const gl::Program& program, const LensSettings& lens, const SceneFrame& scene) {
      const CircleOfConfusion coc = thinLens(lens, scene);
      program.set("cocAlpha", coc.alpha);
      program.set("cocBeta", coc.beta);
      program.set("sideScale", glm::vec2(lens.nearScale, lens.farScale));
    }};

const BlurRule kLinearRule{"BLUR_LINEAR", fullLinearRadiusPx,
                           [](const gl::Program& program, const LensSettings& lens, const SceneFrame& scene) {
                             program.set("nearM", scene.nearM);
                             program.set("focusM", lens.focusDistanceM);
                             program.set("rangeM", lens.gemsFocusRangeM);
                             program.set("fullRadiusPx", fullLinearRadiusPx(lens, scene));
                           }};

}  // namespace satdof
