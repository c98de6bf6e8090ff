#pragma once
#include "app/gl/program.h"
#include "app/scene/camera.h"

namespace satdof {

// A sky at infinity. By default the evening of shaders/scene/lighting.glsl.
class Sky {
 public:
  // `fragmentShader` gets the direction of the pixel from shaders/scene/sky.vert.
  explicit Sky(const char* fragmentShader = "scene/sky.frag", const gl::Defines& defines = {})
      : program_({"scene/sky.vert", fragmentShader}, defines) {}
  // For uniforms of the fragment shader.
  const gl::Program& program() const { return program_; }
  // A vertex array must be bound. `peels`: only behind the depth image on unit 3.
  void draw(const Pinhole& pinhole, bool peels) const;

 private:
  gl::Program program_;
};

}  // namespace satdof
