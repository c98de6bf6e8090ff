#pragma once
#include <glm/vec3.hpp>

// Where things stand, as pure functions of an index and the time. World space, metres, y up, ground at y = 0.
namespace satdof {

inline constexpr int kMaxTeapots = 5000;
// The teapot's file is z up and 3.15 units high; a unit is this long here.
inline constexpr float kTeapotUnitM = 0.08f;
// The sphere about a standing teapot, whichever way it is turned.
inline constexpr float kTeapotCentreYM = 1.5f * kTeapotUnitM;
inline constexpr float kTeapotRadiusM = 3.83f * kTeapotUnitM;
// The sphere about a teapot and its shadow.
inline constexpr float kShadowRadiusM = 1.15f;

struct Teapot {
  glm::vec3 position;  // of the centre of its bottom
  float angle = 0.0f;  // turned about y, radians
  glm::vec3 glaze;     // albedo
  glm::vec3 ornament;  // albedo of its pattern
};

struct Lamp {
  glm::vec3 position;  // centre
  float radiusM = 0.0f;
  glm::vec3 radiance;  // mean over its disc
};
inline constexpr int kLamps = 64;
inline constexpr int kLanterns = 12;

// The teapot number `index`; it stands in the same place however many there are.
Teapot teapotAt(int index, double timeS);
// The lamp number `index`, less than kLamps: lanterns on the ground first, then two strings of bulbs, then
// far lights.
Lamp lampAt(int index, double timeS);

}  // namespace satdof
