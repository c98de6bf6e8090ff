#include "app/lens/layered/plan.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"

namespace satdof {

namespace {

constexpr float kScatterStepPx = 8.0f;
constexpr float kScatterMarginPx = 2.0f;
// Radii over the radius of a point at infinity, or over kLeastPart of the height of the image if that is more: surfaces join the
// foremost layer between from and to. It has a scatter of its own if the nearest radius is above none, in full from all on: below,
// it gained at most 0.05 dB (docs/quality.md).
constexpr struct { float from = 0.5f, to = 0.8f, none = 4.0f, all = 6.0f; } kForemost;
constexpr float kLeastPart = 0.02f;

// Rounded up to a step. Moving objects then seldom change the rule, which would rebuild the CUDA graph.
float inSteps(float widestPx) {
  return kScatterStepPx * std::ceil((widestPx + kScatterMarginPx) / kScatterStepPx) - kScatterMarginPx;
}

// nearM / z of a signed radius below 0; 1 if no surface has it.
float depthOf(const ThinLens& lens, float radiusPx) {
  return lens.nearScale > 0.0f && lens.alpha < 0.0f ? (radiusPx / lens.nearScale - lens.beta) / lens.alpha
                                                    : 1.0f;
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

  plan.scatter = {plan.lens, lens.kernelSteps, inSteps(plan.nearPx)};
  plan.foremost = plan.others = plan.scatter;
  const float unitPx = std::max(plan.lens.beta, kLeastPart * static_cast<float>(scene.wholeSize().y));
  if (!scene.sparse) {
    plan.foremostPx = -kForemost.to * unitPx;
    plan.foremostDepth = depthOf(plan.lens, plan.foremostPx);
  }
  plan.anyForemost = !scene.sparse && nearPx > kForemost.none * unitPx;
  if (plan.anyForemost) {
    const float there = std::min((nearPx / unitPx - kForemost.none) / (kForemost.all - kForemost.none), 1.0f);
    const float fromPx = glm::mix(nearPx, kForemost.from * unitPx, there);
    const float widthPx = (kForemost.to - kForemost.from) * unitPx;
    plan.foremost.band = {.fromPx = fromPx, .rise = 1.0f / widthPx};
    plan.others.widestPx = inSteps(std::min(nearPx, fromPx + widthPx));
    plan.others.band.untilPx = fromPx;
    plan.others.band.fall = plan.foremost.band.rise;
  }

  plan.farCeiling = fixedPointCeiling(farPx * widest, scene.wholeSize());
  plan.farScale = fixedPointScale(farPx * widest, scene.wholeSize(), plan.farCeiling);
  plan.focus = glsl::focusDiscs(lens.kernelSteps, lens.anamorphicRatio);
  return plan;
}

}  // namespace satdof
