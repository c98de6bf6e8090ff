#pragma once
#include <glm/vec3.hpp>

namespace satdof {

// A point that moves with an object of the scene.
struct TrackedPoint {
  int object = 0;      // 0: the world, which does not move
  glm::vec3 at{0.0f};  // in the space of the object
};

}  // namespace satdof
