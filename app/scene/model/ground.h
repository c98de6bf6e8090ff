#pragma once
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/model/environment.h"
#include "app/scene/model/model.h"

namespace satdof {

// The light that casts the shadow of a model: the brighter one side of the environment, the lower and the harder.
struct GroundLight {
  glm::vec3 to{0.0f, 1.0f, 0.0f};  // unit; never low
  float spread = 1.0f;             // radius of the half shadow, in lengths of the ray
};
GroundLight groundLight(const Irradiance& irradiance, const glm::mat3& toEnvironment);

// A plane below a model that shows nothing but the shadow of the model: elsewhere it leaves the sky. The shadow is a map of
// the plane, which the casters are drawn into along the light; its smaller levels blur it.
class Ground {
 public:
  Ground();
  // Places the plane below `bounds`, in the world.
  void place(const Bounds& bounds, const GroundLight& light);
  // The part of the plane that may be in shadow.
  const Bounds& bounds() const { return bounds_; }
  // Draw the casters between these, by the program: a variant of shaders/scene/model/model.frag.
  const gl::Program& beginCasters();
  void endCasters();
  // Seen from above only. Binds the texture unit 1; the sky is bound to 0, with the level of detail `skyLevel`.
  void draw(const GeometryPass& pass, float skyLevel);

 private:
  // Parameters of shaders/scene/model/shadow.glsl.
  struct alignas(16) Shadow {
    glm::vec3 low;  // of bounds()
    float heightM;  // of the model
    glm::vec3 high;
    float spread;
    glm::vec3 toLight;
    float skyLevel;
  };

  Bounds bounds_;
  Shadow shadow_{};
  gl::ParameterBlock block_{sizeof(Shadow)};
  gl::Texture map_;  // covered part, and the covered part times nearness
  gl::Framebuffer framebuffer_;
  gl::VertexArrayObject emptyArray_;
  gl::Program cast_;
  GeometryProgram ground_;
};

}  // namespace satdof
