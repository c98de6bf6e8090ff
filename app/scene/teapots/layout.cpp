#include "app/scene/teapots/layout.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numbers>

#include "shaders/common/random.h"

namespace satdof {

namespace {

// Uniform in [0, 1).
float random(int index, uint32_t stream) { return glsl::random(static_cast<uint32_t>(index) * 31u + stream); }

struct Glaze {
  glm::vec3 base, ornament;
};
constexpr std::array kGlazes = {
    Glaze{{0.78f, 0.74f, 0.66f}, {0.06f, 0.12f, 0.38f}},  // white with cobalt
    Glaze{{0.05f, 0.22f, 0.24f}, {0.70f, 0.52f, 0.24f}},  // petrol with ochre
    Glaze{{0.52f, 0.09f, 0.05f}, {0.80f, 0.62f, 0.36f}},  // oxblood with sand
    Glaze{{0.20f, 0.36f, 0.22f}, {0.74f, 0.72f, 0.56f}},  // celadon with cream
    Glaze{{0.64f, 0.38f, 0.10f}, {0.22f, 0.07f, 0.03f}},  // honey with umber
    Glaze{{0.06f, 0.08f, 0.22f}, {0.62f, 0.66f, 0.72f}},  // midnight with silver
};

constexpr float kRowM = 0.72f;  // spacing of rows, and of teapots in a row

// Row and column of a teapot. The rows form a fan: row k has 1 + 4k/5 columns.
struct Place {
  int row, column, columns;
};
Place placeOf(int index) {
  int row = 0;
  for (;; ++row) {
    const int columns = 1 + 4 * row / 5;
    if (index < columns) return {row, index, columns};
    index -= columns;
  }
}

// Angle about y, as in place.comp.
float turnRadians(const Teapot& teapot, double timeS) {
  const double turns = teapot.turns + teapot.turnsPerS * timeS;
  return static_cast<float>(2 * std::numbers::pi * (turns - std::floor(turns)));
}

// Rotates about y, as turned() in teapot.vert.
glm::vec3 turnedBy(const glm::vec3& v, float radians) {
  const float c = std::cos(radians), s = std::sin(radians);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

}  // namespace

Teapot teapotAt(int index) {
  const auto place = placeOf(index);
  const auto jitter = [&](uint32_t stream) { return 0.2f * (random(index, stream) - 0.5f); };
  Teapot teapot;
  teapot.position = {kRowM * (float(place.column) - 0.5f * float(place.columns - 1) + jitter(0)), 0.0f,
                     kRowM * (1.0f - float(place.row) + jitter(1))};
  teapot.turns = random(index, 3);
  teapot.turnsPerS = (index % 2 == 0 ? 1 : -1) * (0.02 + 0.03 * random(index, 2));
  const auto& glaze = kGlazes[static_cast<std::size_t>(index) % kGlazes.size()];
  teapot.glaze = glaze.base;
  teapot.ornament = glaze.ornament;
  return teapot;
}

glm::vec3 teapotToWorld(const Teapot& teapot, double timeS, const glm::vec3& point) {
  return teapot.position + turnedBy(point, turnRadians(teapot, timeS));
}

glm::vec3 worldToTeapot(const Teapot& teapot, double timeS, const glm::vec3& place) {
  return turnedBy(place - teapot.position, -turnRadians(teapot, timeS));
}

int teapotContaining(const glm::vec3& place, int count) {
  constexpr float kGroundM = 0.003f;
  int found = -1;
  float nearestM = kTeapotRadiusM;
  for (int i = 0; place.y > kGroundM && i < count; ++i) {
    const glm::vec3 centre = teapotAt(i).position + glm::vec3(0.0f, kTeapotCentreYM, 0.0f);
    if (const float distanceM = glm::distance(centre, place); distanceM < nearestM) {
      nearestM = distanceM;
      found = i;
    }
  }
  return found;
}

Lamp lampAt(int index, double timeS) {
  constexpr int kBulbsOnString = 12, kStrings = 2;
  const auto between = [&](uint32_t stream, float a, float b) { return glm::mix(a, b, random(index, stream)); };
  const glm::vec3 warm(24.0f, 11.0f, 3.6f);
  const auto sway = [&](float amplitude, double periodS) {
    return amplitude * float(std::sin(2 * std::numbers::pi * (timeS / periodS + double(random(index, 9)))));
  };
  if (index < kLanterns) {
    const int row = index / 2;
    const float gap = float(row);
    const float side = index % 2 == 0 ? 1.0f : -1.0f;
    const float flicker = 1.0f + sway(0.06f, 0.7) + sway(0.05f, 1.9);
    return {{side * between(4, 0.5f, 1.0f) * (0.46f + 0.36f * gap), 0.036f,
             kRowM * (0.5f - gap) + between(5, -0.06f, 0.06f)},
            0.022f,
            warm * (0.34f * flicker)};
  }
  index -= kLanterns;
  if (index < kStrings * kBulbsOnString) {
    const int string = index / kBulbsOnString;
    const float t = (float(index % kBulbsOnString) + 0.5f) / kBulbsOnString * 2.0f - 1.0f;
    const float sag = 0.22f * (t * t - 1.0f) + sway(0.01f, 2.3);
    return {{4.2f * t + sway(0.02f, 3.1), (string == 0 ? 0.98f : 1.25f) + sag,
             (string == 0 ? -4.2f - 1.8f * t : -6.5f + 2.2f * t) + sway(0.03f, 3.7)},
            0.018f,
            warm};
  }
  constexpr std::array kColours = {glm::vec3(26, 14, 6), glm::vec3(28, 9, 3), glm::vec3(9, 16, 20), glm::vec3(24, 5, 4),
                                   glm::vec3(6, 18, 11)};
  const float distanceM = between(6, 12.0f, 40.0f);
  return {{distanceM * between(7, -0.62f, 0.62f), distanceM * between(8, 0.004f, 0.085f), -distanceM},
          0.0032f * distanceM * between(4, 0.5f, 1.0f),
          kColours[static_cast<std::size_t>(index) % kColours.size()]};
}

}  // namespace satdof
