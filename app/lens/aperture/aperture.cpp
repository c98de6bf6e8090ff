#include "app/lens/aperture/aperture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <numbers>

#include "app/lens/aperture/image.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

// Aperture::catEye: the offset of the second stop in radii, per pixel from the axis.
float catEyePerPx(const LensSettings& lens, const SceneFacts& scene) {
  constexpr float kAtMm = 21.6f;  // the corner of 36 x 24 mm
  return lens.catEye * lens.sensorHeightMm / (static_cast<float>(scene.sensorPx()) * kAtMm);
}

// Point `index` of the additive recurrence (R2 sequence) in [0, 1)^2, shifted by `seed`.
glm::dvec2 recurrence(int index, int seed) {
  constexpr double plastic = 1.32471795724474602596;
  const double n = index + 0.5 + 7919.0 * seed;
  return {std::fmod(n / plastic + 0.37 * seed, 1.0), std::fmod(n / (plastic * plastic) + 0.71 * seed, 1.0)};
}

// The point of the arc from a to b, of this curvature, for which the part u of the area between arc and centre lies
// before the point. The area is summed over 256 steps and inverted linearly.
glm::dvec2 arcPoint(glm::dvec2 a, glm::dvec2 b, double curvature, double u) {
  const glm::dvec2 middle = 0.5 * (a + b), normal = glm::normalize(middle);
  const double h = 0.5 * glm::distance(a, b), r = 1.0 / curvature;
  const glm::dvec2 centre = middle - normal * std::sqrt(r * r - h * h);
  // The ray from the centre through the chord at t meets the arc at grows(t) times the distance: the area of a step is
  // as grows^2.
  const auto grows = [&](double t) {
    const glm::dvec2 p = a + (b - a) * t;
    const double along = glm::dot(p, centre), squared = glm::dot(p, p);
    return (along + std::sqrt(along * along - squared * (glm::dot(centre, centre) - r * r))) / squared;
  };
  constexpr int kSteps = 256;
  std::array<double, kSteps + 1> area{};
  for (int i = 0; i < kSteps; ++i) {
    const double grown = grows((i + 0.5) / kSteps);
    area[static_cast<std::size_t>(i) + 1] = area[static_cast<std::size_t>(i)] + grown * grown;
  }
  const double wanted = u * area.back();
  const auto after = std::ranges::upper_bound(area.begin() + 1, area.end() - 1, wanted);
  const double t =
      (static_cast<double>(after - area.begin()) - 1.0 + (wanted - after[-1]) / (*after - after[-1])) / kSteps;
  return grows(t) * (a + (b - a) * t);
}

}  // namespace

Aperture apertureOf(const LensSettings& lens, const SceneFacts& scene) {
  const ApertureImage* const image = apertureImage(lens);
  // K S: pixels of radius per diopter of focus.
  const float pxOfDiopter = -thinLens(lens, scene.sensorPx(), scene.nearM).alpha * scene.nearM;
  return {.axisPx = scene.axisPx - glm::vec2(scene.from),
          .catEye = catEyePerPx(lens, scene),
          .anamorphicRatio = lens.anamorphicRatio,
          .blades = image == nullptr && lens.bladeCurvature < 1.0f ? lens.blades : 0,
          .turn = glm::radians(lens.bladeRotationDegrees),
          .curvature = lens.bladeCurvature,
          .spherical = lens.spherical * pxOfDiopter,
          .scale = image == nullptr ? 1.0f : 1.0f / image->spread(),
          .image = image != nullptr};
}

glm::vec2 aperturePoint(const LensSettings& lens, int index) {
  const ApertureImage* const image = apertureImage(lens);
  if (image == nullptr)
    return aperturePoint(index, lens.lensSeed, lens.blades, lens.bladeRotationDegrees, lens.bladeCurvature);
  const glm::vec2 a = image->point(recurrence(index, lens.lensSeed));
  const float turn = glm::radians(lens.bladeRotationDegrees), c = std::cos(turn), s = std::sin(turn);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees, float curvature) {
  const auto corner = [](double angle) { return glm::dvec2(std::cos(angle), std::sin(angle)); };
  const glm::dvec2 square = 2.0 * recurrence(index, seed) - 1.0;
  const bool wide = std::abs(square.x) > std::abs(square.y);
  const double radius = wide ? square.x : square.y;
  if (radius == 0) return glm::vec2(0.0f);
  constexpr double quarter = std::numbers::pi / 4;
  const double angle = wide ? quarter * square.y / square.x : quarter * (2 - square.x / square.y);
  if (blades < 3 || curvature >= 1.0f) return glm::vec2(radius * corner(angle));

  // The angle selects a sector of the polygon and a part of the sector's area: all sectors have the same area.
  const double turns = angle / (2 * std::numbers::pi) + (radius < 0 ? 0.5 : 0.0);
  const double sector = (turns - std::floor(turns)) * blades, which = std::floor(sector);
  const double turn = rotationDegrees * std::numbers::pi / 180, wedge = 2 * std::numbers::pi / blades;
  const glm::dvec2 a = corner(turn + which * wedge), b = corner(turn + (which + 1) * wedge);
  const glm::dvec2 edge =
      curvature > 0.0f ? arcPoint(a, b, double(curvature), sector - which) : a + (b - a) * (sector - which);
  return glm::vec2(std::abs(radius) * edge);
}

}  // namespace satdof
