#pragma once
#include <array>

#include "app/gl/async_readback.h"
#include "app/scene/asset_textures.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/teapots/culling.h"
#include "app/scene/teapots/lit_program.h"

namespace satdof {

// The teapots of layout.h as instances in levels of detail, and their shadows on the ground. Drawn indirectly: the
// instance counts stay in GPU memory.
class Crowd {
 public:
  Crowd();
  // Selects the teapots for `pass` by settings.culling and writes their instances at `timeS`. `main`: the projection of
  // the whole image from the centre of the aperture; `heightPx`: its height. settings.lamps needs the block `Lamps`
  // bound: each teapot is lit by the lamp that is brightest there.
  void place(const TeapotsSettings& settings, const GeometryPass& pass, const Pinhole& main, int heightPx, double timeS,
             Timings& timings);
  // Builds the hierarchy for settings.count teapots, if the count has changed. Called by place().
  void build(const TeapotsSettings& settings);
  // Number of teapots that place() selected. Culling::glCompute: of an earlier call, since the count is read back
  // asynchronously.
  int listed() const { return listed_; }
  int count() const { return static_cast<int>(hierarchy_.teapots().size()); }
  // Lower bound of the distances of the visible teapots; infinity if none is visible.
  float nearestM(const Pinhole& pinhole) const { return nearestTeapotM(hierarchy_, pinhole); }
  // Draw the teapots, or their shadows, that place() selected for this pass. Bind a vertex array.
  void draw(const GeometryPass& pass, SkyLight light) const;
  void drawShadows(const GeometryPass& pass, SkyLight light) const;

 private:
  // Arguments of the indirect draws, as in shaders/scene/teapots/draws.glsl.
  struct DrawElements {
    GLuint count, instances, firstIndex;
    GLint baseVertex;
    GLuint baseInstance;
  };
  struct Draws {
    std::array<DrawElements, kDetails> teapots;
    GLuint shadowVertices = 4, shadows = 0, firstShadowVertex = 0, firstShadow = 0;
  };
  // Indirect draws and instances of a pass.
  struct PassDraws {
    gl::Buffer draws, instances;
    gl::VertexArrayObject array;
  };

  void tessellateDetails();
  PassDraws makePassDraws() const;
  void listOnCpu(bool cull, const CullView& view, const PassDraws& passDraws);
  void listOnGpu(const CullView& view) const;

  LitProgram program_{{"scene/teapots/teapot.vert", "scene/teapots/teapot.frag"},
                      {{"UNIT_M", std::to_string(kTeapotUnitM)}}};
  LitProgram shadows_{{"scene/teapots/shadow.vert", "scene/teapots/shadow.frag"}};
  gl::Program cull_, place_;
  gl::Texture ornament_ = loadTexture("ornament.png", GL_R8);
  VolumeTexture shadowVolume_ = loadVolume("shadows.png", 16);
  gl::Buffer vertices_, indices_;
  gl::Buffer spheres_, teapots_, lists_, viewBlock_, momentBlock_;
  Hierarchy hierarchy_;
  Draws empty_;
  std::array<PassDraws, GeometryPass::kMaxPasses> passDraws_;
  Frontiers frontiers_;
  DrawLists cpuLists_;
  AsyncReadback listedReads_{1, 1};
  int listed_ = 0;
};

}  // namespace satdof
