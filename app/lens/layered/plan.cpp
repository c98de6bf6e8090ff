#include "app/lens/layered/plan.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/lens/aperture/aperture.h"
#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"

namespace satdof {

namespace {

constexpr float kScatterStepPx = 8.0f;
constexpr float kScatterMarginPx = 2.0f;
// Surfaces join the foremost layer between entersFrom and entersTo: near radii in units of the radius of a point at
// infinity, or of kMinPart of the height of the image if that is more. The layer is absent for nearest radii up to
// absentUpTo, where it gained at most 0.05 dB, and has its full extent from fullFrom on.
constexpr struct { float entersFrom = 0.5f, entersTo = 0.8f, absentUpTo = 4.0f, fullFrom = 6.0f; } kForemost;
constexpr float kMinPart = 0.02f;

// The radii between which surfaces enter the second middle layer and the far field, in units of the radius K of a point
// at infinity; each range is at least leastStepPx wide and begins no earlier than the range before ends. The middle
// layers are absent up to K = absentUpTo and have their full extent from K = fullFrom on. docs/quality.md has the
// measurements.
constexpr struct {
  glm::vec2 second{0.3f, 0.45f}, far{0.6f, 0.85f};
  float leastStepPx = 2.0f, absentUpTo = 5.0f, fullFrom = 8.0f;
} kMiddle;

// The radius rounded up to a step, so that moving objects seldom change a ScatterRule: a change rebuilds the CUDA
// graph.
float roundedUp(float widestPx) {
  return kScatterStepPx * std::ceil((widestPx + kScatterMarginPx) / kScatterStepPx) - kScatterMarginPx;
}

MiddleRule middleRule(float infinityPx) {
  const glm::vec2 focus(glsl::kFocusPx, glsl::kFarPx);
  const auto after = [](glm::vec2 entry, glm::vec2 before) {
    const float from = std::max(entry.x, before.y);
    return glm::vec2(from, std::max(entry.y, from + kMiddle.leastStepPx));
  };
  const glm::vec2 second = after(kMiddle.second * infinityPx, focus), far = after(kMiddle.far * infinityPx, second);
  const float presence = glm::smoothstep(kMiddle.absentUpTo, kMiddle.fullFrom, infinityPx);
  return {glm::mix(focus, second, presence), glm::mix(focus, far, presence)};
}

}  // namespace

LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw) {
  LayeredPlan plan;
  plan.lens = thinLens(lens, scene.sensorPx(), scene.nearM);
  plan.aperture = apertureOf(lens, scene);
  plan.lens.scattersFar = scene.sparse;
  plan.secondLayer = lens.layers == 2 && canRedraw;
  const float widest = std::max(1.0f, lens.anamorphicRatio);
  const float nearPx = std::max(-glsl::signedRadius(plan.lens, scene.nearM / scene.nearestM), 0.0f);
  // The largest radius of the background: without a second layer, the fill behind the nearest surface.
  const float filledPx = plan.secondLayer ? nearPx : glsl::kFillLimit * nearPx;
  const float farPx = std::max({glsl::signedRadius(plan.lens, 0.0f), filledPx, 1.0f});
  plan.nearPx = scene.sparse ? std::max(nearPx, glsl::signedRadius(plan.lens, 0.0f)) : nearPx;
  plan.anyNear = plan.nearPx > 0.5f;

  plan.scatter = {
      .lens = plan.lens, .aperture = plan.aperture, .steps = lens.kernelSteps, .widestPx = roundedUp(plan.nearPx)};
  plan.foremost = plan.others = plan.scatter;
  const float unitPx = std::max(plan.lens.beta, kMinPart * static_cast<float>(scene.sensorPx()));
  plan.anyForemost = plan.anyNear && !scene.sparse && nearPx > kForemost.absentUpTo * unitPx;
  if (plan.anyForemost) {
    const float presence =
        std::min((nearPx / unitPx - kForemost.absentUpTo) / (kForemost.fullFrom - kForemost.absentUpTo), 1.0f);
    const float fromPx = glm::mix(nearPx, kForemost.entersFrom * unitPx, presence);
    const float widthPx = (kForemost.entersTo - kForemost.entersFrom) * unitPx;
    plan.foremost.band = {.fromPx = fromPx, .rise = 1.0f / widthPx};
    plan.others.widestPx = roundedUp(std::min(nearPx, fromPx + widthPx));
    plan.others.band.untilPx = fromPx;
    plan.others.band.fall = plan.foremost.band.rise;
  }

  plan.anyHidden = plan.secondLayer && plan.anyNear && !scene.sparse;
  const float infinityPx = plan.lens.beta * plan.lens.farScale;
  plan.anyMiddle = plan.secondLayer && !scene.sparse && infinityPx > kMiddle.absentUpTo;
  if (plan.anyMiddle) plan.middle = middleRule(infinityPx);
  for (int i = 0; i < glsl::kMiddleLayers; ++i) {
    const float until = glsl::entryPx(plan.middle, i + 1).y;
    plan.middleScatter[i] = plan.scatter;
    plan.middleScatter[i].widestPx = roundedUp(until);
  }

  plan.farCeiling = fixedPointCeiling(farPx * widest, scene.wholeSize());
  plan.farScale = fixedPointScale(farPx * widest, scene.wholeSize(), plan.farCeiling);
  plan.focus = glsl::focusDiscs(lens.kernelSteps, lens.anamorphicRatio);
  return plan;
}

glsl::BackgroundRule backgroundRule(const LayeredPlan& plan, bool blended) {
  return {.lens = plan.lens,
          .middle = plan.middle,
          .ceiling_ = plan.farCeiling,
          .farScale = plan.farScale,
          .fillLevels = plan.anyNear ? glsl::kFillLevels : 0,
          .secondLayer = plan.secondLayer,
          .anyHidden = plan.anyHidden,
          .anyMiddle = plan.anyMiddle,
          .anyBlended = blended};
}

glsl::ComposeRule composeRule(const LayeredPlan& plan, bool blended, int show) {
  return {.lens = plan.lens,
          .aperture = plan.aperture,
          .discs = plan.focus,
          .steps = plan.scatter.steps,
          .farUnit = plan.farCeiling,
          .farScale = plan.farScale,
          .nearPx = plan.nearPx,
          .anyNear = plan.anyNear,
          .anyForemost = plan.anyForemost,
          .anyMiddle = plan.anyMiddle,
          .anyHidden = plan.anyHidden,
          .anyBlended = blended,
          .show = show};
}

LensGraph layeredGraph(const LensFacts& facts) {
  using enum GraphImage::Texels;
  using enum GraphImage::Extent;
  const LayeredPlan plan = layeredPlan(facts.lens, facts.scene, facts.secondLayer);
  LensGraph graph;
  const auto imageIf = [&](bool any, GraphImage::Texels texels, GraphImage::Extent extent = image) {
    return any ? graph.add(texels, extent) : kNoImage;
  };
  const auto inputIf = [](bool any, ImageId input) { return any ? input : kNoImage; };
  const auto scattered = [&](bool any, Scattered what, ImageId colour, ImageId depth, const ScatterRule& rule) {
    const ImageId to = imageIf(any, words4, table);
    if (any) graph.steps.emplace_back(ScatterStep{what, colour, depth, to, rule});
    return to;
  };
  const auto pass = [&](const PassRule& rule, std::vector<ImageId> reads, std::vector<ImageId> writes) {
    graph.steps.emplace_back(PassStep{rule, std::move(reads), std::move(writes)});
  };

  const ImageId behindColour = inputIf(plan.secondLayer, kBehindColour),
                behindDepth = inputIf(plan.secondLayer, kBehindDepth);
  const ImageId backColour = inputIf(facts.blended, kBackColour), backDepth = inputIf(facts.blended, kBackDepth);
  const ImageId frontColour = inputIf(facts.blended, kFrontColour), frontDepth = inputIf(facts.blended, kFrontDepth);
  const ImageId near = scattered(plan.anyNear, Scattered::nearPixels, kColour, kDepth, plan.others);
  const ImageId foremost = scattered(plan.anyForemost, Scattered::nearPixels, kColour, kDepth, plan.foremost);

  const ImageId fillBehind = imageIf(plan.anyNear, half4, pyramid), fillRadii = imageIf(plan.anyNear, half4, pyramid);
  if (plan.anyNear)
    pass(glsl::FillRule{plan.lens, plan.farCeiling, plan.secondLayer}, {kColour, kDepth, behindColour, behindDepth},
         {fillBehind, fillRadii});
  const ImageId farRadii = imageIf(!plan.anyMiddle, float4, pyramid);
  if (!plan.anyMiddle) pass(glsl::FarRule{plan.lens}, {kDepth}, {farRadii});
  const ImageId hiddenLight = imageIf(plan.anyHidden, half4), hiddenDepth = imageIf(plan.anyHidden, float1),
                hiddenSums = imageIf(plan.anyHidden, float4, pyramid);
  if (plan.anyHidden)
    pass(glsl::HiddenRule{plan.lens}, {kDepth, fillRadii, behindColour, behindDepth},
         {hiddenLight, hiddenDepth, hiddenSums});
  const ImageId hidden = scattered(plan.anyHidden, Scattered::layer, hiddenLight, hiddenDepth, plan.scatter);

  const ImageId background = graph.add(half4), radius = graph.add(float1), farImage = graph.add(words4);
  const ImageId backLeft = imageIf(facts.blended, half4);
  ImageId middleLight[glsl::kMiddleLayers], middleDepth[glsl::kMiddleLayers];
  for (int i = 0; i < glsl::kMiddleLayers; ++i) {
    middleLight[i] = imageIf(plan.anyMiddle, half4);
    middleDepth[i] = imageIf(plan.anyMiddle, float1);
  }
  pass(backgroundRule(plan, facts.blended),
       {kColour, kDepth, fillBehind, fillRadii, behindColour, behindDepth, backColour, backDepth, farRadii},
       {background, radius, farImage, backLeft, middleLight[0], middleLight[1], middleDepth[0], middleDepth[1]});

  ImageId middle[glsl::kMiddleLayers];
  for (int i = 0; i < glsl::kMiddleLayers; ++i)
    middle[i] = scattered(plan.anyMiddle, Scattered::layer, middleLight[i], middleDepth[i], plan.middleScatter[i]);
  const ImageId back = scattered(facts.blended, Scattered::blended, backLeft, kBackDepth, plan.scatter);
  const ImageId front = scattered(facts.blended, Scattered::blended, kFrontColour, kFrontDepth, plan.scatter);
  const ImageId far = graph.shownTable = graph.add(words4, table);
  graph.shownScale = plan.farScale;
  graph.steps.emplace_back(TableStep{farImage, far});

  pass(composeRule(plan, facts.blended, facts.show),
       {near, far, background, radius, fillRadii, back, backLeft, backDepth, front, frontColour, frontDepth, foremost,
        middle[0], middle[1], hidden, hiddenSums},
       {kOutput});
  return graph;
}

}  // namespace satdof
