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

// Of a view whose point of the aperture is scaled: by ViewOffset::nearScale or farScale.
inline Pinhole pinholeOf(const SceneView& view, glm::ivec2 size, float scale) {
  ViewOffset offset = view.offset;
  offset.apertureM *= scale;
  return makePinhole(view.camera, size, kNearM, offset, view.part);
}

// One pass over the geometry: a pinhole, and what the pass keeps.
struct GeometryPass {
  enum class Keep { all, behind, side };  // behind a depth image; on one side of the focus plane

  Pinhole pinhole;
  glm::ivec2 size;  // of the image, in pixels
  Keep keep = Keep::all;
  glm::vec4 side{0.0f};  // as in shaders/scene/project.glsl
  size_t index = 0;      // among the passes of a draw()
  int samples = 1;       // a pixel
  bool fine = true;      // meshes as for several samples a pixel

  static constexpr size_t kMaxPasses = 2;  // passes of a draw()
};

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

// Blends into the colour and leaves the depth unchanged for as long as it lives.
class BlendedDraws {
 public:
  // The factors of glBlendFunc.
  BlendedDraws(GLenum source, GLenum destination);
  BlendedDraws(const BlendedDraws&) = delete;
  ~BlendedDraws();
};

// The blended fragments of Scene::blended(). Side 1: those on the surface of focus or nearer; -1: the others.
struct BlendedPart {
  float side;
  FocusDepth focus;
};

// A scene of geometry. Multisampling, views off the centre of the aperture, near and far scale, and peeling
// are the same for all. A derived scene draws its geometry and its background. Texture unit 3 and uniform
// block binding 0 are taken.
class GeometryScene : public Scene {
 public:
  // If the near and the far scale of the view's offset differ, the geometry is drawn twice, the far side
  // first. Both sides meet in the focus plane, which no offset moves.
  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) final;
  BlendedLayer blended(const SceneView& view, Targets& targets, bool front, const FocusDepth& focus,
                       Timings& timings) final;

 protected:
  GeometryScene();
  // Called before the passes of a draw(), once for each. Times itself; the stage `scene` starts later.
  virtual void prepare(const SceneView& /*view*/, const GeometryPass& /*pass*/, Timings& /*timings*/) {}
  // Draws everything at a finite distance. Returns the smallest distance that the image may show. Called
  // twice a draw() if the sides are drawn one after the other.
  virtual float drawGeometry(const SceneView& view, const GeometryPass& pass) = 0;
  // Draws everything at infinity, at depth 0 with the depth test GL_GEQUAL. Covers all pixels without
  // geometry.
  virtual void drawBackground(const Pinhole& pinhole, bool peels) = 0;
  // Directions with a smaller y show nothing behind the ground that peeling has removed.
  virtual float emptyBelow() const { return -2.0f; }
  // Whether the scene has surfaces that let light through.
  virtual bool hasBlended() const { return false; }
  // Draws them with premultiplied colours, farthest first; of a layer, only `part`, with LAYER defined in
  // shaders/scene/output.glsl. Returns the smallest distance that the image may show.
  virtual float drawBlended(const SceneView& /*view*/, const GeometryPass& pass,
                            const BlendedPart* /*part*/) {
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
