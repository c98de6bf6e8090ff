#include "app/render/overscan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/lens/blur_rule.h"
#include "app/render/reach.h"
#include "app/scene/camera.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

constexpr std::array kDivisors = {32, 16, 8, 4};
constexpr int kDivisorWithAutofocus = 8;
// An image with its margin has at most as many pixels as the larger of two limits: relative to the image, and absolute.
// A narrow image needs no margin as wide as its height.
constexpr double kMaxGrowth = 16, kMaxPixels = 1 << 22;

float largestRadiusPx(const Settings& settings, float nearestM) {
  const SceneFacts facts{.size = settings.size,
                         .focalPx = 1.0f,
                         .nearM = kNearM,
                         .nearestM = nearestM,
                         .axisPx = axisPx(settings, settings.size)};
  return std::max(thinLensReachPx(settings.lens, facts), kLinearRule.largestRadiusPx(settings.lens, facts));
}

}  // namespace

int overscanDivisor(const ResolvedSettings& settings, const std::function<float(int marginPx)>& nearestM) {
  if (settings.lens.overscan != Overscan::on) return 0;
  if (!sceneRow(settings.scene.kind).capabilities.otherViewpoints) return 0;
  if (settings.lens.autofocus) return kDivisorWithAutofocus;
  int divisor = 0;
  float narrowerPx = 0.5f;  // the next narrower margin
  for (const int wider : kDivisors) {
    const int marginPx = settings.size.y / wider;
    if (largestRadiusPx(settings, nearestM(marginPx)) > narrowerPx) divisor = wider;
    narrowerPx = static_cast<float>(marginPx);
  }
  return divisor;
}

int overscanPx(glm::ivec2 size, int divisor, int maxSidePx) {
  if (divisor == 0) return 0;
  const double area = static_cast<double>(size.x) * size.y, sides = static_cast<double>(size.x) + size.y;
  const double maxPixels = std::max(kMaxGrowth * area, kMaxPixels);
  // The margin m with (x + 2 m) (y + 2 m) = maxPixels.
  const int widestPx = static_cast<int>((std::sqrt(sides * sides + 4 * std::max(maxPixels - area, 0.0)) - sides) / 4);
  return std::clamp(size.y / divisor, 0, std::min(widestPx, std::max((maxSidePx - std::max(size.x, size.y)) / 2, 0)));
}

void addMargin(Settings& settings, int marginPx) {
  const glm::ivec2 size = settings.size + 2 * marginPx;
  const float growth = static_cast<float>(size.y) / static_cast<float>(settings.size.y);
  const float halfFov = glm::radians(settings.camera.verticalFovDegrees) / 2;
  if (marginPx > 0) settings.camera.verticalFovDegrees = glm::degrees(2 * std::atan(growth * std::tan(halfFov)));
  settings.camera.shiftX *= static_cast<float>(settings.size.x) / static_cast<float>(size.x);
  settings.camera.shiftY /= growth;
  settings.lens.sensorHeightMm *= growth;
  settings.lens.gemsMaxRadiusPx /= growth;
  settings.size = size;
}

}  // namespace satdof
