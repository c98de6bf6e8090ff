#include "app/lens/depth_of_field.h"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <limits>

#include "app/core/text/formatted.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

// Returns a length with three digits or more.
std::string lengthText(float length, const char* unit) {
  const int decimals = length < 0.9995f ? 3 : length < 9.995f ? 2 : length < 99.95f ? 1 : 0;
  return formatted("%.*f %s", decimals, static_cast<double>(length), unit);
}

constexpr float kDiagonalOfHeight = 1.803f;  // of a 3:2 sensor
constexpr float kSharpPartOfDiagonal = 1500.0f;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float focusM(const LensSettings& lens) {
  return std::max(lens.focusDistanceM, static_cast<float>(nearestFocus(1e-3 * lens.focalLengthMm)));
}

}  // namespace

DepthOfField depthOfField(const LensSettings& lens) {
  const float f = 1e-3f * lens.focalLengthMm, s = focusM(lens);
  DepthOfField found{};
  found.confusionMm = kDiagonalOfHeight * lens.sensorHeightMm / kSharpPartOfDiagonal;
  const float h = f * f / (lens.fNumber * 1e-3f * found.confusionMm) + f;
  found.hyperfocalM = h;
  found.nearM = s * (h - f) / (h + s - 2.0f * f);
  found.farM = s >= h ? kInfinity : s * (h - f) / (h - s);
  return found;
}

float confusionMm(const LensSettings& lens, float distanceM) {
  const float f = lens.focalLengthMm, s = 1e3f * focusM(lens);
  const float relative = std::isinf(distanceM) ? 1.0f : std::abs(1.0f - s / (1e3f * distanceM));
  return f * f / (lens.fNumber * (s - f)) * relative;
}

std::string millimetresText(float millimetres) {
  constexpr float kMin = 0.001f;
  return millimetres < kMin ? "< 0.001 mm" : lengthText(millimetres, "mm");
}

std::string confusionText(const LensSettings& lens, float distanceM, int heightPx) {
  const float circleMm = confusionMm(lens, distanceM);
  const float circlePx = circleMm / lens.sensorHeightMm * static_cast<float>(heightPx);
  const std::string text = circlePx < 0.1f ? "< 0.1" : formatted("%.1f", static_cast<double>(circlePx));
  return millimetresText(circleMm) + ", " + text + " px";
}

float focusPosition(float distanceM) { return 1.0f - kNearestFocusM / std::max(distanceM, kNearestFocusM); }

float focusAtPosition(float position) {
  const float diopters = (1.0f - std::clamp(position, 0.0f, 1.0f)) / kNearestFocusM;
  return 1.0f / std::max(diopters, 1e-4f);
}

std::string distanceText(float distanceM) {
  if (distanceM >= kInfinityM) return "infinity";
  return lengthText(distanceM, "m");
}

float fieldOfViewDegrees(float focalLengthMm, float sensorHeightMm) {
  return glm::degrees(2.0f * std::atan(sensorHeightMm / (2.0f * focalLengthMm)));
}

float focalLengthMm(float fieldOfViewDegrees, float sensorHeightMm) {
  return sensorHeightMm / (2.0f * std::tan(glm::radians(fieldOfViewDegrees) / 2.0f));
}

void linkFieldOfView(const Settings& before, Settings& settings) {
  LensSettings& lens = settings.lens;
  float& fov = settings.camera.verticalFovDegrees;
  if (!lens.linkFieldOfView) return;
  if (lens.focalLengthMm != before.lens.focalLengthMm || lens.sensorHeightMm != before.lens.sensorHeightMm)
    fov = fieldOfViewDegrees(lens.focalLengthMm, lens.sensorHeightMm);
  else if (fov != before.camera.verticalFovDegrees)
    lens.focalLengthMm = focalLengthMm(fov, lens.sensorHeightMm);
}

}  // namespace satdof
