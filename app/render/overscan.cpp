#include "app/render/overscan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/gl/software.h"
#include "app/lens/blur_rule.h"
#include "app/scene/camera.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

constexpr std::array kPartsOfHeight = {32, 16, 8, 4};
constexpr int kPartWithAutofocus = 8;

float largestRadiusPx(const Settings& settings, float nearestM) {
  const SceneFacts facts{.size = settings.size, .focalPx = 1.0f, .nearM = kNearM, .nearestM = nearestM};
  return std::max(kThinLensRule.largestRadiusPx(settings.lens, facts),
                  kLinearRule.largestRadiusPx(settings.lens, facts));
}

}  // namespace

Overscan resolve(Overscan overscan) {
  if (overscan != Overscan::automatic) return overscan;
  return gl::isSoftwareRenderer() ? Overscan::off : Overscan::on;
}

int overscanPx(const Settings& settings, float nearestM, int longestSidePx) {
  if (settings.lens.overscan != Overscan::on) return 0;
  if (!sceneRow(settings.scene.kind).capabilities.otherViewpoints) return 0;
  const auto partPx = [&](int part) { return settings.size.y / part; };
  int marginPx = partPx(kPartWithAutofocus);
  if (!settings.lens.autofocus) {
    const float wantedPx = largestRadiusPx(settings, nearestM);
    if (wantedPx < 0.5f) return 0;
    const auto* part = std::ranges::find_if(
        kPartsOfHeight, [&](int of) { return wantedPx <= static_cast<float>(partPx(of)); });
    marginPx = partPx(part == kPartsOfHeight.end() ? kPartsOfHeight.back() : *part);
  }
  const int spacePx = (longestSidePx - std::max(settings.size.x, settings.size.y)) / 2;
  return std::max(std::min(marginPx, spacePx), 0);
}

Settings withMargin(Settings settings, int marginPx) {
  const glm::ivec2 size = settings.size + 2 * marginPx;
  const float growth = static_cast<float>(size.y) / static_cast<float>(settings.size.y);
  const float halfFov = glm::radians(settings.camera.verticalFovDegrees) / 2;
  if (marginPx > 0)
    settings.camera.verticalFovDegrees = glm::degrees(2 * std::atan(growth * std::tan(halfFov)));
  settings.camera.shiftX *= static_cast<float>(settings.size.x) / static_cast<float>(size.x);
  settings.lens.sensorHeightMm *= growth;
  settings.lens.gemsMaxRadiusPx /= growth;
  settings.size = size;
  return settings;
}

glm::vec2 inMargin(glm::vec2 at, glm::ivec2 size, int marginPx) {
  const glm::vec2 extent(size);
  return (at * extent + static_cast<float>(marginPx)) / (extent + 2.0f * static_cast<float>(marginPx));
}

}  // namespace satdof
