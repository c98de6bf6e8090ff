#pragma once
#include "app/device/scene_facts.h"
#include "app/gl/objects.h"

namespace satdof {

// A drawn image: one sample a pixel, row 0 at the bottom.
struct SceneFrame : SceneFacts {
  // GL_RGBA16F, linear light, no NaN. Alpha is 1, or 0 where nothing is known.
  const gl::Texture* colour = nullptr;
  // GL_R32F, nearM / z of the pixel's nearest sample: 1 at the near plane, 0 at infinity.
  const gl::Texture* depth = nullptr;
};

}  // namespace satdof
