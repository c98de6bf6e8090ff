#include "app/lens/blur_rule.h"

#include <algorithm>

#include "app/lens/thin_lens.h"

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
    "BLUR_THIN_LENS", false,
    [](const LensSettings& lens, const SceneFrame& scene) {
      return largestRadiusPx(thinLens(lens, scene), scene) * std::max({lens.nearScale, lens.farScale, 0.0f});
    },
    [](const LensSettings& lens, const SceneFrame& scene) {
      const CircleOfConfusion coc = thinLens(lens, scene);
      return BlurValues{.alpha = coc.alpha,
                        .beta = coc.beta,
                        .nearScale = lens.nearScale,
                        .farScale = lens.farScale,
                        .anamorphicRatio = lens.anamorphicRatio};
    }};

const BlurRule kLinearRule{"BLUR_LINEAR", true, fullLinearRadiusPx,
                           [](const LensSettings& lens, const SceneFrame& scene) {
                             return BlurValues{.nearM = scene.nearM,
                                               .focusM = lens.focusDistanceM,
                                               .rangeM = lens.gemsFocusRangeM,
                                               .fullRadiusPx = fullLinearRadiusPx(lens, scene)};
                           }};

void BlurRule::setUniforms(const gl::Program& program, const LensSettings& lens,
                           const SceneFrame& scene) const {
  const BlurValues v = values(lens, scene);
  program.set("cocAlpha", v.alpha);
  program.set("cocBeta", v.beta);
  program.set("sideScale", glm::vec2(v.nearScale, v.farScale));
  program.set("anamorphicRatio", v.anamorphicRatio);
  program.set("nearM", v.nearM);
  program.set("focusM", v.focusM);
  program.set("rangeM", v.rangeM);
  program.set("fullRadiusPx", v.fullRadiusPx);
}

}  // namespace satdof
