#pragma once
#include <glm/vec3.hpp>

namespace satdof {

// A point of a surface: the object that moves it, and where it is in the space of the object. 0: the world.
struct TrackedPoint {
  int object = 0;
  glm::vec3 at{0.0f};
};

}  // namespace satdof
