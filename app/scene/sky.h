#pragma once
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/camera.h"

namespace satdof {

// A full-screen sky at infinity; by default the evening of shaders/scene/lighting.glsl.
class Sky {
 public:
  // `fragmentShader` receives the direction of the pixel from shaders/scene/sky.vert.
  explicit Sky(const char* fragmentShader = "scene/sky.frag", const gl::Defines& defines = {})
      : program_({"scene/sky.vert", fragmentShader}, defines) {}
  // For uniforms of the fragment shader.
  const gl::Program& program() const { return program_; }
  // Needs a bound vertex array. `peels`: leaves pixels empty where the depth image on unit 3 has no surface.
  void draw(const Pinhole& pinhole, bool peels) const;

 private:
  // Parameters of shaders/scene/sky_rays.glsl.
  struct alignas(16) Rays {
    glm::vec3 forward;
    int peels;
    alignas(16) glm::vec3 rightPerNdc;
    alignas(16) glm::vec3 upPerNdc;
    alignas(8) glm::vec2 shear;
  };

  gl::Program program_;
  gl::ParameterBlock rays_{sizeof(Rays)};
};

}  // namespace satdof
