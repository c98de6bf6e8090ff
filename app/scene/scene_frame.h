#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>

#include "app/gl/objects.h"

namespace satdof {

// What the scene pass hands to the lens: resolved to one sample a pixel, row 0 at the bottom.
struct SceneFrame {
  const gl::Texture* colour = nullptr;  // GL_RGBA16F, linear light, no NaN, alpha 1, or 0 below the ground
  const gl::Texture* depth =
      nullptr;  // GL_R32F, nearM / z of the nearest sample: 1 at the near plane, 0 at infinity
  glm::ivec2 size{0};
  float focalPx = 1.0f;   // a point x metres off the axis at z metres is x / z * focalPx pixels off it
  float nearM = 0.1f;     // near plane
  float nearestM = 0.1f;  // no geometry is closer than this (a bound from the scene, not read back)
};

}  // namespace satdof
