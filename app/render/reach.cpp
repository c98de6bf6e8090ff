#include "app/render/reach.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/filter/mask.h"
#include "app/lens/aperture/diffraction.h"
#include "app/lens/lens.h"
#include "app/lens/lens_space.h"
#include "app/views/views.h"
#include "shaders/lens/layered/fill.h"

namespace satdof {

namespace {

constexpr float kRoundingPx = 18.0f;  // tiles of bokeh sprites, and interpolation
constexpr int kGridPx = 64;           // grid of drawnFor()

int onGrid(int px) { return (px + kGridPx - 1) / kGridPx * kGridPx; }

// Rounds up to a multiple of about a quarter of `px`, so that a moving focus changes the size rarely.
int inSteps(int px) {
  const int step = std::max(kGridPx, static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(px, 1)))) / 4);
  return (px + step - 1) / step * step;
}

}  // namespace

glm::vec2 axisPx(const Settings& settings, glm::ivec2 size) {
  return glm::vec2(size) * (0.5f + glm::vec2(settings.camera.shiftX, settings.camera.shiftY));
}

float thinLensReachPx(const LensSettings& lens, const SceneFacts& whole) {
  float widest = 0.0f;
  for (int channel = 0; channel < 3; ++channel) {
    const LensSpace space = lensSpace(lens, whole, focusShifts(lens)[channel]);
    const Aperture aperture = apertureOf(space.lens, space.scene);
    widest = std::max(widest, kThinLensRule.largestRadiusPx(space.lens, space.scene) * std::max(aperture.scale, 1.0f) +
                                  std::abs(aperture.spherical) / 3.0f);
  }
  return widest;
}

int reachPx(const Settings& settings, const SceneFacts& whole) {
  const LensRow& lens = lensOf(settings.technique.lens.kind);
  float reach = 0.0f;
  if (!lens.accumulates && viewOf(settings.technique.view).source != ViewSource::scene) {
    const float radius =
        lens.rule->linear ? lens.rule->largestRadiusPx(settings.lens, whole) : thinLensReachPx(settings.lens, whole);
    const float widest = radius * std::max(settings.lens.anamorphicRatio, 1.0f);
    reach = kRoundingPx + widest;
    // A hole is filled from cells at most as wide as its radius, interpolated with their neighbours.
    if (lens.layers) reach += std::min(4.0f * radius, 2.0f * static_cast<float>(glsl::kMaxCellPx));
  }
  if (settings.lens.lateralColour != 0.0f) {
    const float corner =
        glm::length(glm::abs(whole.axisPx - 0.5f * glm::vec2(whole.wholeSize())) + 0.5f * glm::vec2(whole.wholeSize()));
    reach += 2.0f + std::abs(lateralGrowth(settings.lens, whole)) * corner * corner * corner;
  }
  if (settings.lens.diffraction) reach += static_cast<float>(diffractionPx(settings.lens, whole.sensorPx()));
  return static_cast<int>(std::ceil(reach)) + maskReachPx(settings.filter);
}

PixelRectangle drawnFor(const PixelRectangle& shown, glm::ivec2 whole, int reachPx, int maxMarginPx) {
  const int marginPx = std::max(std::min(inSteps(reachPx), maxMarginPx), 0);
  const glm::ivec2 size =
      glm::min(glm::ivec2(onGrid(shown.size.x + 2 * marginPx), onGrid(shown.size.y + 2 * marginPx)) + kGridPx, whole);
  const glm::ivec2 from = glm::max(shown.from - marginPx, glm::ivec2(0)) / kGridPx * kGridPx;
  return {glm::min(from, whole - size), size};
}

}  // namespace satdof
