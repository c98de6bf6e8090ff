#pragma once
#include <glm/vec3.hpp>

// Positions of teapots and lamps as pure functions of index and time. World space, metres, y up, ground at y = 0.
namespace satdof {

inline constexpr int kMaxTeapots = 5000;
// Length of a unit of teapot.bpt. The teapot is 3.15 units high.
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

// Teapot `index`, the same for any number of teapots.
Teapot teapotAt(int index);
// Transforms a point between the space of a teapot, which turns about y, and the world.
glm::vec3 teapotToWorld(const Teapot& teapot, double timeS, const glm::vec3& point);
glm::vec3 worldToTeapot(const Teapot& teapot, double timeS, const glm::vec3& point);
// Index of the teapot, among the first `count`, whose bounding sphere contains the world point; the nearest centre
// wins. -1 if there is none or the point is on the ground.
int teapotContaining(const glm::vec3& point, int count);
// Lamp `index`, 0 to kLamps - 1: first kLanterns lanterns on the ground, then two strings of bulbs, then distant
// lights.
Lamp lampAt(int index, double timeS);

}  // namespace satdof
