#pragma once
#include <glm/vec2.hpp>

#include "app/gl/objects.h"

namespace satdof {

// What is known of a drawn scene without looking at its textures.
struct SceneFacts {
  glm::ivec2 size{0};
  float focalPx = 1.0f;   // a point x metres off the axis at z metres is x / z * focalPx pixels off it
  float nearM = 0.1f;     // near plane
  float nearestM = 0.1f;  // no geometry is closer (a bound, not read back)
};

// What a scene hands to the lens, one sample a pixel, row 0 at the bottom.
struct SceneFrame : SceneFacts {
  const gl::Texture* colour = nullptr;  // GL_RGBA16F, linear light, no NaN; alpha 1, or 0 below the ground
  const gl::Texture* depth = nullptr;   // GL_R32F, nearM / z of the nearest sample: 1 near, 0 at infinity
};

}  // namespace satdof
