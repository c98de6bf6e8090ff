#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Sprites for OpenGL, in the layout of shaders/bokeh/bokeh.h. Bind `sprites` as a texture and `command` to
// GL_DRAW_INDIRECT_BUFFER. glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr) then draws every sprite as a
// strip of kSpriteVertices vertices. Compute shaders read the number of sprites from `command`.
struct BokehDraw {
  GLuint sprites = 0;
  GLuint command = 0;
};

inline constexpr GLsizei kCommandBytes = 16;  // of BokehDraw::command

// Collects the bokeh sprites of a frame for OpenGL to draw. CUDA and the CPU sort the sprites far to near;
// OpenGL does not sort them.
class BokehCollector {
 public:
  virtual ~BokehCollector() = default;
  // Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Returns the sprites of `scene`, which has the size given to resize(): none if there are more than the
  // capacity. Valid until the next call.
  virtual BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) = 0;
};

// `scan`: the scan of the compaction and the sort on CUDA.
using MakeBokehCollector = std::unique_ptr<BokehCollector>(const BokehSpec& spec, Scan scan,
                                                           unsigned capacity);

}  // namespace satdof
