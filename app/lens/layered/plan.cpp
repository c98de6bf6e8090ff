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

// Where surfaces enter the second middle layer and the far field: radii over the radius K of a point at infinity, at least so far
// beyond the layer before. There are none up to K = none, and in full from K = all on. docs/quality.md has the measurements.
constexpr struct {
  glm::vec2 second{0.3f, 0.45f}, far{0.6f, 0.85f};
  float leastStepPx = 2.0f, none = 5.0f, all = 8.0f;
} kMiddle;

// Rounded up to a step. Moving objects then seldom change the rule, which would rebuild the CUDA graph.
float inSteps(float widestPx) {
  return kScatterStepPx * std::ceil((widestPx + kScatterMarginPx) / kScatterStepPx) - kScatterMarginPx;
}

MiddleRule middleRule(float infinityPx) {
  const glm::vec2 focus(glsl::kFocusPx, glsl::kFarPx);
  const auto after = [](glm::vec2 entry, glm::vec2 before) {
    const float from = std::max(entry.x, before.y);
    return glm::vec2(from, std::max(entry.y, from + kMiddle.leastStepPx));
  };
  const glm::vec2 second = after(kMiddle.second * infinityPx, focus),
                  far = after(kMiddle.far * infinityPx, second);
  const float there = glm::smoothstep(kMiddle.none, kMiddle.all, infinityPx);
  return {glm::mix(focus, second, there), glm::mix(focus, far, there)};
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
  plan.lens = thinLens(lens, scene.sensorPx(), scene.nearM);
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
  const float unitPx = std::max(plan.lens.beta, kLeastPart * static_cast<float>(scene.sensorPx()));
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

  plan.anyHidden = plan.secondLayer && plan.anyNear && !scene.sparse;
  const float infinityPx = plan.lens.beta * plan.lens.farScale;
  plan.anyMiddle = plan.secondLayer && !scene.sparse && infinityPx > kMiddle.none;
  if (plan.anyMiddle) plan.middle = middleRule(infinityPx);
  for (int i = 0; i < glsl::kMiddleLayers; ++i) {
    const float until = glsl::entryPx(plan.middle, i + 1).y;
    plan.middleScatter[i] = {plan.lens, lens.kernelSteps, inSteps(until)};
  }

  plan.farCeiling = fixedPointCeiling(farPx * widest, scene.wholeSize());
  plan.farScale = fixedPointScale(farPx * widest, scene.wholeSize(), plan.farCeiling);
  plan.focus = glsl::focusDiscs(lens.kernelSteps, lens.anamorphicRatio);
  return plan;
}

}  // namespace satdof
