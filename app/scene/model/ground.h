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

// The light that casts the shadow of a model: the brighter one side of the environment, the lower and the harder.
struct GroundLight {
  glm::vec3 to{0.0f, 1.0f, 0.0f};  // unit; never low
  float spread = 1.0f;             // radius of the half shadow, in lengths of the ray
};
GroundLight groundLight(const Irradiance& irradiance, const glm::mat3& toEnvironment);

// A plane below a model that shows nothing but the shadows of the model: elsewhere it leaves the sky. Lights are the
// environment and the brightest lamps. A shadow is a map of the plane, which the casters are drawn into along the light; its
// smaller levels blur it.
class Ground {
 public:
  static constexpr std::size_t kMaxShadows = 5;

  Ground();
  // Places the plane below `bounds`, in the world, and chooses the lamps.
  void place(const Bounds& bounds, const GroundLight& light, const LampBlock& lamps);
  // The part of the plane that may be in shadow.
  const Bounds& bounds() const { return bounds_; }
  int shadows() const { return shadow_.count.x; }
  // Draw the casters between these, by the program: a variant of shaders/scene/model/model.frag.
  const gl::Program& beginCasters(int shadow);
  void endCasters(int shadow);
  // Seen from above only. Binds the texture units from 9 on; the sky is bound to 0, with the level of detail `skyLevel`.
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
    gl::Texture covered;  // part, and the covered part times nearness
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
