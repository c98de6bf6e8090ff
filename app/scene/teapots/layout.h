#pragma once
#include <glm/vec3.hpp>

// Positions of teapots and lamps, as pure functions of an index and the time. World space, metres, y up,
// ground at y = 0.
namespace satdof {

inline constexpr int kMaxTeapots = 5000;
// Length of a unit of teapot.bpt, in which the teapot is 3.15 units high.
inline constexpr float kTeapotUnitM = 0.08f;
// Bounding sphere of a standing teapot, at any angle.
inline constexpr float kTeapotCentreYM = 1.5f * kTeapotUnitM;
inline constexpr float kTeapotRadiusM = 3.83f * kTeapotUnitM;
// Radius of the bounding sphere of a teapot and its shadow, with the same centre.
inline constexpr float kShadowRadiusM = 1.15f;

struct Teapot {
  glm::vec3 position;  // centre of the bottom
  double turns = 0.0;  // about y at time 0, in [0, 1)
  double turnsPerS = 0.0;
  glm::vec3 glaze;     // albedo
  glm::vec3 ornament;  // albedo of the pattern
};

struct Lamp {
  glm::vec3 position;  // centre
  float radiusM = 0.0f;
  glm::vec3 radiance;  // mean over the disc
};
inline constexpr int kLamps = 64;
inline constexpr int kLanterns = 12;

// The teapot `index`. It does not depend on the number of teapots.
Teapot teapotAt(int index);
// A point in the space of the teapot, which turns about y, as a point in the world.
glm::vec3 teapotToWorld(const Teapot& teapot, double timeS, const glm::vec3& point);
// The other way round.
glm::vec3 worldToTeapot(const Teapot& teapot, double timeS, const glm::vec3& place);
// The first `count` teapots: the one whose bounding sphere holds the point, above the ground; -1: none does.
int teapotContaining(const glm::vec3& place, int count);
// The lamp `index`, 0 to kLamps - 1: kLanterns lanterns on the ground, two strings of bulbs, distant lights.
Lamp lampAt(int index, double timeS);

}  // namespace satdof
