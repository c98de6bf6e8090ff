#include "app/render/overscan.h"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <limits>

#include "app/gl/software.h"
#include "app/lens/blur_rule.h"
#include "app/scene/camera.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

constexpr int kPartOfHeight = 8;

float largestRadiusPx(const Settings& settings) {
  if (settings.lens.autofocus) return std::numeric_limits<float>::infinity();
  const SceneFacts facts{.size = settings.size,
                         .focalPx = 1.0f,
                         .nearM = kNearM,
                         .nearestM = std::max(kNearM, settings.lens.focusDistanceM / 2)};
  return std::max(kThinLensRule.largestRadiusPx(settings.lens, facts),
                  kLinearRule.largestRadiusPx(settings.lens, facts));
}

}  // namespace

Overscan resolve(Overscan overscan) {
  if (overscan != Overscan::automatic) return overscan;
  return gl::isSoftwareRenderer() ? Overscan::off : Overscan::on;
}

int overscanPx(const Settings& settings, int longestSidePx) {
  if (settings.lens.overscan != Overscan::on) return 0;
  if (!sceneRow(settings.scene.kind).capabilities.otherViewpoints) return 0;
  const float wantedPx = largestRadiusPx(settings);
  if (wantedPx < 0.5f) return 0;
  const int widestPx = std::min(settings.size.y / kPartOfHeight,
                                (longestSidePx - std::max(settings.size.x, settings.size.y)) / 2);
  for (const int part : {4, 2})
    if (wantedPx <= static_cast<float>(widestPx / part)) return widestPx / part;
  return std::max(widestPx, 0);
}

int mostOverscanPx(const Settings& settings) {
  return resolve(settings.lens.overscan) == Overscan::on ? settings.size.y / kPartOfHeight : 0;
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
