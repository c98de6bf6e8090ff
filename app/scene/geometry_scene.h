#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/gl/program.h"
#include "app/scene/scene.h"
#include "app/scene/sky.h"
#include "app/scene/targets.h"

namespace satdof {

// One pass over the geometry.
struct GeometryPass {
  // Which fragments remain: all, those behind a depth image, or those on one side of the focus plane.
  enum class Keep { all, behind, side };

  Pinhole pinhole;
  glm::ivec2 size;  // of the image, in pixels
  Keep keep = Keep::all;
  glm::vec4 side{0.0f};   // as in shaders/scene/project.glsl
  std::size_t index = 0;  // of the pass in its draw(): 0 or 1
  int samples = 1;        // per pixel
  bool fine = true;       // false: one sample per pixel, which allows coarser meshes

  static constexpr std::size_t kMaxPasses = 2;  // of a draw()
};

// The passes of a draw(): one, or the far side and then the near side if the near and far scales of the view differ.
std::vector<GeometryPass> geometryPasses(const SceneView& view, const Targets& targets);

// A program that draws geometry, in a variant for each GeometryPass::Keep. Its vertex shader uses
// shaders/scene/project.glsl, its fragment shader uses shaders/scene/output.glsl.
class GeometryProgram {
 public:
  explicit GeometryProgram(const std::vector<std::string>& files, const gl::Defines& defines = {});
  // Makes the pass's variant current and returns it.
  const gl::Program& use(const GeometryPass& pass) const;

 private:
  std::array<gl::Program, 3> variants_;
};

// While an object lives, draws blend into the colour and do not write the depth.
class BlendedDraws {
 public:
  // `source`, `destination`: the factors of glBlendFunc().
  BlendedDraws(GLenum source, GLenum destination);
  BlendedDraws(const BlendedDraws&) = delete;
  ~BlendedDraws();
};

// The fragments that Scene::blended() draws. side 1: on the surface of focus or nearer; -1: behind it.
struct BlendedPart {
  float side;
  FocusDepth focus;
};

// Base of the scenes with geometry: implements multisampling, views from off the centre of the aperture, near and far
// scale, and depth peeling. A derived scene draws its geometry and its background. Uses texture unit 3 and uniform
// block binding 0.
class GeometryScene : public Scene {
 public:
  // Draws the geometry once. If the near and far scales of the view differ, draws it twice, the far side first: both
  // sides meet in the focus plane, which no offset moves.
  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) final;
  BlendedLayer blended(const SceneView& view, Targets& targets, bool front, const FocusDepth& focus,
                       Timings& timings) final;

 protected:
  GeometryScene();
  // Called for each pass before draw() draws the first one. Times its own stages: the stage `scene` starts later.
  virtual void prepare(const SceneView& /*view*/, const GeometryPass& /*pass*/, Timings& /*timings*/) {}
  // Draws everything at a finite distance but the blended surfaces. Returns a lower bound of the distances in the
  // image.
  virtual float drawGeometry(const SceneView& view, const GeometryPass& pass) = 0;
  // Draws the sky at depth 0 with the depth test GL_GEQUAL: into all pixels without geometry. `peels`: leaves pixels
  // empty where the depth image on unit 3 has no surface.
  virtual void drawBackground(const Pinhole& pinhole, bool peels) = 0;
  // The plain sky has alpha 0 in directions with a smaller y: the ground covers it, or peeling has removed the ground.
  virtual float emptyBelow() const { return -2.0f; }
  // Whether the scene has blended surfaces, which let light through.
  virtual bool hasBlended() const { return false; }
  // Draws the blended surfaces with premultiplied colours, farthest first. Not null `part`: draws only this part, by a
  // program with LAYER (shaders/scene/output.glsl). Returns a lower bound of the distances in the image.
  virtual float drawBlended(const SceneView& /*view*/, const GeometryPass& pass, const BlendedPart* /*part*/) {
    return pass.pinhole.nearM;
  }

 private:
  void useCamera(const GeometryPass& pass) const;
  void drawPlainSky(const Pinhole& pinhole, bool peels, float light) const;

  gl::Buffer cameraBlock_;
  Sky plainSky_{"scene/plain_sky.frag"};
  gl::VertexArrayObject skyArray_ = gl::makeVertexArray();
};

}  // namespace satdof
