#pragma once
#include <glm/vec2.hpp>

namespace satdof {

// The numbers of a drawn image that a lens plans with, without OpenGL.
struct SceneFacts {
  glm::ivec2 size{0};     // pixels
  float focalPx = 1.0f;   // a point x metres off the axis, z metres away, is focalPx * x / z pixels off it
  float nearM = 0.1f;     // near plane
  float nearestM = 0.1f;  // lower bound of all distances in the image, at least nearM
};

}  // namespace satdof
