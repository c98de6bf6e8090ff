#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Sprites for OpenGL, in the layout of shaders/bokeh/bokeh.h. Fragment shaders: bind `command` to
// GL_DRAW_INDIRECT_BUFFER; glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr) draws every sprite as a strip of
// kSpriteVertices vertices. Compute shaders read the number of sprites from `command`.
struct BokehDraw {
  GLuint sprites = 0;  // texture
  GLuint command = 0;  // buffer
};

inline constexpr GLsizei kCommandBytes = 16;  // of BokehDraw::command

// Makes the texture BokehDraw::sprites.
inline gl::Texture spriteTexture(unsigned capacity) {
  return gl::Texture(GL_RGBA32F, glm::ivec2(kSpritesPerRow * kSpriteTexels, spriteRows(capacity)));
}
// Copies a command from a texture of one texel, GL_RGBA32UI, to BokehDraw::command.
inline void copyCommand(const gl::Texture& texel, const gl::Buffer& command) {
  glBindBuffer(GL_PIXEL_PACK_BUFFER, command.name());
  glGetTextureImage(texel.name(), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, kCommandBytes, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

// Collects the bokeh sprites of a layer for OpenGL to draw. CUDA and the CPU sort the sprites from far to near; OpenGL
// does not sort them. The order does not matter: blending is additive.
class BokehCollector {
 public:
  virtual ~BokehCollector() = default;
  // Allocates for images of `size`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Returns the sprites of `scene`, which has the size given to resize(), or none if there are more than the capacity.
  // Valid until the next call.
  virtual BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) = 0;
};

// `scan`: the scan that compaction and sort use on CUDA. `capacity`: the largest number of sprites.
using MakeBokehCollector = std::unique_ptr<BokehCollector>(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace satdof
