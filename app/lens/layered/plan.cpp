#include "app/lens/layered/plan.h"

#include <algorithm>
#include <cmath>

#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"

namespace satdof {

namespace {

constexpr float kScatterStepPx = 8.0f;
constexpr float kScatterMarginPx = 2.0f;
// Radii between which surfaces join the foremost layer, over the radius of a point at infinity, or over kLeastPart of the height
// of the image if that is more.
constexpr struct { float from = 0.5f, to = 0.8f; } kForemost;
constexpr float kLeastPart = 0.02f;

// Rounded up to a step. Moving objects then seldom change the rule, which would rebuild the CUDA graph.
float inSteps(float widestPx) {
  return kScatterStepPx * std::ceil((widestPx + kScatterMarginPx) / kScatterStepPx) - kScatterMarginPx;
}

}  // namespace

int shownLayer(LensImage image) {
  switch (image) {
    case LensImage::nearCoverage:
      return glsl::kShowNear;
    case LensImage::fill:
      return glsl::kShowFill;
    case LensImage::layers:
      return glsl::kShowLayers;
    case LensImage::weights:
      return glsl::kShowWeights;
    case LensImage::blurred:
    case LensImage::sprites:
      return glsl::kShowImage;
  }
  return glsl::kShowImage;
}

LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw) {
  LayeredPlan plan;
  plan.lens = thinLens(lens, scene.wholeSize().y, scene.nearM);
  plan.lens.scattersFar = scene.sparse;
  plan.secondLayer = lens.layers == 2 && canRedraw;
  const float widest = std::max(1.0f, lens.anamorphicRatio);
  const float nearPx = std::max(-glsl::signedRadius(plan.lens, scene.nearM / scene.nearestM), 0.0f);
  // Without a second layer, the widest disc that fills the hole behind the nearest surface.
  const float filledPx = plan.secondLayer ? nearPx : glsl::kFillLimit * nearPx;
  const float farPx = std::max({glsl::signedRadius(plan.lens, 0.0f), filledPx, 1.0f});
  plan.nearPx = scene.sparse ? std::max(nearPx, glsl::signedRadius(plan.lens, 0.0f)) : nearPx;
  plan.anyNear = plan.nearPx > 0.5f;

  const float unitPx = std::max(plan.lens.beta, kLeastPart * static_cast<float>(scene.wholeSize().y));
  const float fromPx = kForemost.from * unitPx, toPx = kForemost.to * unitPx;
  const float rise = 1.0f / (toPx - fromPx);
  plan.anyForemost = !scene.sparse && nearPx > fromPx;
  plan.scatter = {plan.lens, lens.kernelSteps, inSteps(plan.nearPx)};
  plan.foremost = plan.others = plan.scatter;
  plan.foremost.band = {.fromPx = fromPx, .rise = rise};
  if (plan.anyForemost) {
    plan.others.widestPx = inSteps(std::min(plan.nearPx, toPx));
    plan.others.band.untilPx = fromPx;
    plan.others.band.fall = rise;
    plan.foremostDepth = (-toPx / plan.lens.nearScale - plan.lens.beta) / plan.lens.alpha;
  }

  plan.farCeiling = fixedPointCeiling(farPx * widest, scene.wholeSize());
  plan.farScale = fixedPointScale(farPx * widest, scene.wholeSize(), plan.farCeiling);
  plan.focus = glsl::focusDiscs(lens.kernelSteps, lens.anamorphicRatio);
  return plan;
}

}  // namespace satdof
