#include "app/lens/lens_space.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/lens/aperture/image.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

struct Range {
  double low, high;
};

// The range of a q + c q^2 for q from `from` to `to`: what tilt (a) and field curvature (c) add to 1 / z at q pixels
// from the axis.
Range rangeOf(double a, double c, double from, double to) {
  const auto at = [&](double q) { return (a + c * q) * q; };
  const double turns = c == 0.0 ? from : std::clamp(-a / (2.0 * c), from, to);
  const auto [low, high] = std::minmax({at(from), at(to), at(turns)});
  return {low, high};
}

}  // namespace

glm::vec3 focusShifts(const LensSettings& lens) { return glm::vec3(-0.5f, 0.0f, 0.5f) * lens.axialColour; }

glm::vec2 tiltSlope(const LensSettings& lens, const SceneFacts& scene) {
  // A tangent of 1 in the scene is focalPx pixels, of sensorHeight / sensorPx each, on the sensor at the distance f.
  const float f = lens.focalLengthMm * 1e-3f;
  const float tangent = scene.focalPx * lens.sensorHeightMm * 1e-3f / (static_cast<float>(scene.sensorPx()) * f);
  return glm::sin(glm::radians(glm::vec2(lens.tiltYDegrees, lens.tiltXDegrees))) * (tangent / f);
}

double fieldCurvaturePerPx2(const LensSettings& lens, const SceneFacts& scene) {
  const double tangentOfPx = double(lens.sensorHeightMm) / (double(scene.sensorPx()) * double(lens.focalLengthMm));
  return double(lens.fieldCurvature) * tangentOfPx * tangentOfPx;
}

bool drawsChannelsApart(const LensSettings& lens) {
  return lens.axialColour != 0.0f || lens.lateralColour != 0.0f || lens.diffraction || drawnVignetting(lens) > 0.0f;
}

float lateralGrowth(const LensSettings& lens, const SceneFacts& scene) {
  constexpr float kAtMm = 12.0f;  // LensSettings::lateralColour is in percent at this distance from the axis
  const float ofPx = lens.sensorHeightMm / (static_cast<float>(scene.sensorPx()) * kAtMm);
  return lens.lateralColour / 100.0f * ofPx * ofPx;
}

LensSpace lensSpace(LensSettings lens, const SceneFacts& scene, float shift) {
  // Tables blur by a uniform disc with the second moments of the image.
  if (const ApertureImage* image = apertureImage(lens)) {
    lens.nearScale *= image->spread();
    lens.farScale *= image->spread();
  }
  if (!needsLensSpace(lens) && shift == 0.0f) return {lens, scene, {}};
  const double nearM = scene.nearM, f = double(lens.focalLengthMm) * 1e-3;
  const glm::dvec2 slope = nearM * glm::dvec2(tiltSlope(lens, scene)) / double(scene.focalPx);
  const double curvature = -nearM * fieldCurvaturePerPx2(lens, scene);
  const glm::dvec2 from = -glm::dvec2(scene.axisPx), to = from + glm::dvec2(scene.wholeSize());
  const Range x = rangeOf(slope.x, curvature, from.x, to.x), y = rangeOf(slope.y, curvature, from.y, to.y);
  const double bendsLow = x.low + y.low - nearM * double(shift);
  const double bendsHigh = x.high + y.high - nearM * double(shift);
  const double raised = std::max(-bendsLow, 0.0);

  // The radius is linear in depth, so a focus surface is a number added to each depth.
  LensSpace space{lens, scene, {}};
  space.surface = {.axisPx = scene.axisPx - glm::vec2(scene.from),
                   .slope = glm::vec2(slope),
                   .curvature = static_cast<float>(curvature),
                   .moved = static_cast<float>(raised - nearM * double(shift)),
                   .keepsInfinity = scene.sparse};
  space.scene.nearestM =
      static_cast<float>(nearM / (nearM / double(scene.nearestM) + std::max(bendsHigh + raised, 0.0)));
  // Keep K S = f^2 h S / (2 N (S - f) h_sensor).
  const double before = std::max<double>(lens.focusDistanceM, nearestFocus(f));
  const double after = std::max(1.0 / (1.0 / before + raised / nearM), nearestFocus(f));
  space.lens.focusDistanceM = static_cast<float>(after);
  space.lens.fNumber = static_cast<float>(double(lens.fNumber) * after / (after - f) * (before - f) / before);
  return space;
}

std::string focusOnPlane(LensSettings& lens, int sensorPx, const std::array<glm::vec3, 3>& places) {
  constexpr float kMaxDegrees = 20.0f, kMinPart = 1e-3f;
  const glm::vec3 normal = glm::cross(places[1] - places[0], places[2] - places[0]);
  if (std::abs(normal.z) < kMinPart * static_cast<float>(sensorPx) * static_cast<float>(sensorPx))
    return "the three places lie on a line";
  // 1 / z = 1 / S - slope . q, with q in pixels: see tiltSlope().
  const glm::vec2 slope = glm::vec2(normal) / normal.z;
  const float inverseM = places[0].z + glm::dot(slope, glm::vec2(places[0]));
  const float f = lens.focalLengthMm * 1e-3f;
  const float ofSine = lens.sensorHeightMm * 1e-3f / (static_cast<float>(sensorPx) * f * f);
  const glm::vec2 tilt = glm::degrees(glm::asin(glm::clamp(slope / ofSine, -1.0f, 1.0f)));
  if (std::max(std::abs(tilt.x), std::abs(tilt.y)) > kMaxDegrees)
    return "the plane needs a tilt of more than 20 degrees";
  if (inverseM <= 0.0f) return "the plane lies behind the lens on the axis";
  lens.tiltXDegrees = tilt.y;
  lens.tiltYDegrees = tilt.x;
  lens.focusDistanceM = 1.0f / inverseM;
  lens.autofocus = false;
  return {};
}

float fieldOfViewDegrees(float degrees, const LensSettings& lens) {
  const float f = lens.focalLengthMm * 1e-3f;
  const float smaller = 1.0f - f / std::max(lens.focusDistanceM, 1.25f * f);
  return glm::degrees(2.0f * std::atan(std::tan(glm::radians(degrees) / 2.0f) * std::pow(smaller, lens.breathing)));
}

}  // namespace satdof
