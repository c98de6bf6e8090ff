#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "app/scene/scene_frame.h"
#include "cuda/compact/variants.h"
#include "cuda/sort/variants.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Sprites in the layout of shaders/bokeh/bokeh.h: bind `sprites` as a texture, `command` to
// GL_DRAW_INDIRECT_BUFFER, and glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr) draws kSpriteVertices a
// sprite.
struct BokehDraw {
  GLuint sprites = 0;
  GLuint command = 0;
};

// Collects the highlights of every frame for OpenGL to draw. Needs a current context.
class BokehCollector {
 public:
  virtual ~BokehCollector() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // The highlights of `scene`, of the size last given to resize(). Valid until the next call.
  virtual BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) = 0;
};

struct BokehCollectorOptions {
  unsigned capacity = 1 << 16;  // sprites; beyond, the topmost are left out
  Compaction compaction = Compaction::scanScatter;
  Sort sort = Sort::cub;
};

// On CUDA where `device` is cuda: sorted far to near; with compute shaders where it is of OpenGL: unsorted,
// tile by tile, the order of additive sprites being of no account; else on the processor, which waits for the
// image: sorted. Throws std::runtime_error when CUDA is asked for and not available.
std::unique_ptr<BokehCollector> makeBokehCollector(DeviceId device, const BokehCollectorOptions& options);

std::unique_ptr<BokehCollector> makeGlBokehCollector(const BokehCollectorOptions& options);

// Where CUDA is not built, no_cuda.cpp answers.
std::unique_ptr<BokehCollector> makeCudaBokehCollector(const BokehCollectorOptions& options);

// Sets the uniforms of shaders/bokeh/radius.glsl and shaders/bokeh/bright_pixel.glsl.
void setBokehRule(const gl::Program& program, const BokehRule& rule);

}  // namespace satdof
