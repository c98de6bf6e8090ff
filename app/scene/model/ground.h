#pragma once
#include <array>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/model/environment.h"
#include "app/scene/model/lamps.h"
#include "app/scene/model/model.h"

namespace satdof {

// A light that stands for the environment and casts the shadow of a model. The more directional the environment, the
// lower the light and the sharper its shadow.
struct GroundLight {
  glm::vec3 to{0.0f, 1.0f, 0.0f};  // unit direction towards the light, at least 36 degrees above the horizon
  float spread = 1.0f;             // radius of the penumbra per length of the ray
};
// Estimates the light from the bands l = 0 and l = 1 of the irradiance.
GroundLight groundLight(const Irradiance& irradiance, const glm::mat3& toEnvironment);

// A shadow catcher: a plane below a model that dims the sky behind it by the shadows of the model. The environment and
// the brightest lamps cast shadows. The shadow map of a light covers a part of the plane: the model is projected onto
// the plane from the light. Penumbrae are blurred by reading smaller mipmap levels of the map.
class Ground {
 public:
  static constexpr std::size_t kMaxShadows = 5;

  Ground();
  // Places the plane below `bounds`, in the world, and selects the lamps.
  void place(const Bounds& bounds, const GroundLight& light, const LampBlock& lamps);
  // The part of the plane that may be in shadow.
  const Bounds& bounds() const { return bounds_; }
  // Number of lights with shadows.
  int shadows() const { return shadow_.count.x; }
  // Binds the shadow map of a light and returns the program that draws the casters: a variant of
  // shaders/scene/model/model.frag.
  const gl::Program& beginCasters(int shadow);
  // Completes the shadow map: builds its mipmap.
  void endCasters(int shadow);
  // Draws the plane, if the eye is above it. Binds the texture units from 9
  // on. The sky must be bound to unit 0; `skyLevel`: its level of detail.
  void draw(const GeometryPass& pass, float skyLevel);

 private:
  // Parameters of shaders/scene/model/shadow.glsl.
  struct alignas(16) Shadow {
    glm::vec3 low;  // of bounds()
    float heightM;  // of the model
    glm::vec3 high;
    float skyLevel;
    std::array<glm::vec4, kMaxShadows> lights, sources;
    glm::ivec4 count;
  };
  struct Map {
    gl::Texture covered;  // coverage, and coverage * exp2(-6 height / heightM)
    gl::Framebuffer framebuffer;
  };

  Bounds bounds_;
  Shadow shadow_{};
  gl::ParameterBlock block_{sizeof(Shadow)};
  std::vector<Map> maps_;
  gl::VertexArrayObject emptyArray_;
  gl::Program cast_;
  GeometryProgram ground_;
};

}  // namespace satdof
