#pragma once
#include "app/gl/program.h"
#include "app/scene/camera.h"

namespace satdof {

// The evening sky of shaders/scene/lighting.glsl, at infinity.
class Sky {
 public:
  // A vertex array must be bound.
  void draw(const Pinhole& pinhole) const;

 private:
  gl::Program program_{{"scene/sky.vert", "scene/sky.frag"}};
};

}  // namespace satdof
