#include "app/lens/layered/plan.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <initializer_list>
#include <utility>
#include <vector>

#include "app/lens/aperture/aperture.h"
#include "app/lens/fixed_point.h"
#include "app/lens/thin_lens.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"
#include "shaders/lens/layered/fill.h"
#include "shaders/lens/layered/hidden.h"

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

// Images of a pass with their places, such as glsl::kComposeNear.
using Places = std::initializer_list<std::pair<int, ImageId>>;

std::vector<ImageId> inOrder(Places images) {
  std::vector<ImageId> ids(images.size(), kNoImage);
  for (const auto& [place, id] : images) ids.at(static_cast<std::size_t>(place)) = id;
  return ids;
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
          .ceiling = plan.farCeiling,
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
  using namespace glsl;
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
  const auto pass = [&](const PassRule& rule, Places reads, Places writes) {
    graph.steps.emplace_back(PassStep{rule, inOrder(reads), inOrder(writes)});
  };

  const ImageId behindColour = inputIf(plan.secondLayer, kBehindColour),
                behindDepth = inputIf(plan.secondLayer, kBehindDepth);
  const ImageId backColour = inputIf(facts.blended, kBackColour), backDepth = inputIf(facts.blended, kBackDepth);
  const ImageId frontColour = inputIf(facts.blended, kFrontColour), frontDepth = inputIf(facts.blended, kFrontDepth);
  const ImageId near = scattered(plan.anyNear, Scattered::nearPixels, kColour, kDepth, plan.others);
  const ImageId foremost = scattered(plan.anyForemost, Scattered::nearPixels, kColour, kDepth, plan.foremost);

  const ImageId fillBehind = imageIf(plan.anyNear, half4, pyramid), fillRadii = imageIf(plan.anyNear, half4, pyramid);
  if (plan.anyNear)
    pass(FillRule{plan.lens, plan.farCeiling, plan.secondLayer},
         {{kFillColour, kColour},
          {kFillDepth, kDepth},
          {kFillBehindColour, behindColour},
          {kFillBehindDepth, behindDepth}},
         {{kFillBehind, fillBehind}, {kFillRadii, fillRadii}});
  const ImageId farRadii = imageIf(!plan.anyMiddle, float4, pyramid);
  if (!plan.anyMiddle) pass(FarRule{plan.lens}, {{kFarDepth, kDepth}}, {{kFarRadii, farRadii}});
  const ImageId hiddenLight = imageIf(plan.anyHidden, half4), hiddenDepth = imageIf(plan.anyHidden, float1),
                hiddenSums = imageIf(plan.anyHidden, float4, pyramid);
  if (plan.anyHidden)
    pass(HiddenRule{plan.lens},
         {{kHiddenSceneDepth, kDepth},
          {kHiddenFillRadii, fillRadii},
          {kHiddenBehindColour, behindColour},
          {kHiddenBehindDepth, behindDepth}},
         {{kHiddenLight, hiddenLight}, {kHiddenDepth, hiddenDepth}, {kHiddenSums, hiddenSums}});
  const ImageId hidden = scattered(plan.anyHidden, Scattered::layer, hiddenLight, hiddenDepth, plan.scatter);

  const ImageId background = graph.add(half4), radius = graph.add(float1), farImage = graph.add(words4);
  const ImageId backLeft = imageIf(facts.blended, half4);
  ImageId middleLight[kMiddleLayers], middleDepth[kMiddleLayers];
  for (int i = 0; i < kMiddleLayers; ++i) {
    middleLight[i] = imageIf(plan.anyMiddle, half4);
    middleDepth[i] = imageIf(plan.anyMiddle, float1);
  }
  pass(backgroundRule(plan, facts.blended),
       {{kBackgroundSceneColour, kColour},
        {kBackgroundSceneDepth, kDepth},
        {kBackgroundFillBehind, fillBehind},
        {kBackgroundFillRadii, fillRadii},
        {kBackgroundBehindColour, behindColour},
        {kBackgroundBehindDepth, behindDepth},
        {kBackgroundBackColour, backColour},
        {kBackgroundBackDepth, backDepth},
        {kBackgroundFarRadii, farRadii}},
       {{kBackgroundColour, background},
        {kBackgroundRadius, radius},
        {kBackgroundFar, farImage},
        {kBackgroundBackLeft, backLeft},
        {kBackgroundMiddleLight, middleLight[0]},
        {kBackgroundMiddleLight + 1, middleLight[1]},
        {kBackgroundMiddleDepth, middleDepth[0]},
        {kBackgroundMiddleDepth + 1, middleDepth[1]}});

  ImageId middle[kMiddleLayers];
  for (int i = 0; i < kMiddleLayers; ++i)
    middle[i] = scattered(plan.anyMiddle, Scattered::layer, middleLight[i], middleDepth[i], plan.middleScatter[i]);
  const ImageId back = scattered(facts.blended, Scattered::blended, backLeft, kBackDepth, plan.scatter);
  const ImageId front = scattered(facts.blended, Scattered::blended, kFrontColour, kFrontDepth, plan.scatter);
  const ImageId far = graph.shownTable = graph.add(words4, table);
  graph.shownScale = plan.farScale;
  graph.steps.emplace_back(TableStep{farImage, far});

  pass(composeRule(plan, facts.blended, facts.show),
       {{kComposeNear, near},
        {kComposeFar, far},
        {kComposeBackground, background},
        {kComposeRadius, radius},
        {kComposeFillRadii, fillRadii},
        {kComposeBack, back},
        {kComposeBackColour, backLeft},
        {kComposeBackDepth, backDepth},
        {kComposeFront, front},
        {kComposeFrontColour, frontColour},
        {kComposeFrontDepth, frontDepth},
        {kComposeForemost, foremost},
        {kComposeFirst, middle[0]},
        {kComposeSecond, middle[1]},
        {kComposeHidden, hidden},
        {kComposeHiddenSums, hiddenSums}},
       {{kComposeResult, kOutput}});
  return graph;
}

}  // namespace satdof
