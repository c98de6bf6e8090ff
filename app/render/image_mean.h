#pragma once
#include <glm/vec4.hpp>

#include "app/gl/async_readback.h"
#include "app/gl/program.h"

namespace satdof {

// A recent mean of the image for float32-mean tables, from 64x64 texels scatter evenly: any constant near
// the mean serves, because it is added back. Read frames later; 0 until the first has arrived.
class ImageMean {
 public:
  ImageMean();
  glm::vec4 update(const gl::Texture& colour);

 private:
  static constexpr int kSidePx = 16;
  gl::Program program_;
  gl::Texture cells_;
  gl::Framebuffer framebuffer_;
  AsyncReadback reads_;
  glm::vec4 mean_{0.0f};
};

}  // namespace satdof
