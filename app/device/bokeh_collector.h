#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "app/scene/scene_frame.h"
#include "cuda/compact/variants.h"
#include "cuda/lens/bokeh_sprite.h"
#include "cuda/sort/variants.h"

namespace satdof {

// Sprites in the layout of cuda/lens/bokeh_sprite.h: bind `sprites` as a texture, `command` to
// GL_DRAW_INDIRECT_BUFFER, and glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr) draws kSpriteVertices a
// sprite.
struct HighlightDraw {
  GLuint sprites = 0;
  GLuint command = 0;
};

// Collects the highlights of every frame for OpenGL to draw. Needs a current context.
class HighlightSource {
 public:
  virtual ~HighlightSource() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // The highlights of `scene`, of the size last given to resize(). Valid until the next call.
  virtual HighlightDraw collect(const SceneFrame& scene, const HighlightRule& rule, Timings& timings) = 0;
};

struct HighlightSourceOptions {
  unsigned capacity = 1 << 16;  // sprites; beyond, the topmost are left out
  Compaction compaction = Compaction::scanScatter;
  Sort sort = Sort::cub;
};

// On CUDA where `backend` is cuda: sorted far to near; with compute shaders where it is of OpenGL: unsorted,
// tile by tile, the order of additive sprites being of no account; else on the processor, which waits for the
// picture: sorted. Throws std::runtime_error when CUDA is asked for and not available.
std::unique_ptr<HighlightSource> makeHighlightSource(Backend backend, const HighlightSourceOptions& options);

std::unique_ptr<HighlightSource> makeGlHighlightSource(const HighlightSourceOptions& options);

// Where CUDA is not built, no_cuda.cpp answers.
std::unique_ptr<HighlightSource> makeCudaHighlightSource(const HighlightSourceOptions& options);

// Sets the uniforms of shaders/bokeh/radius.glsl and shaders/bokeh/bright_pixel.glsl.
void setHighlightRule(const gl::Program& program, const HighlightRule& rule);

}  // namespace satdof
