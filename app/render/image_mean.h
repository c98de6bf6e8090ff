#pragma once
#include <glm/vec4.hpp>

#include "app/gl/async_readback.h"
#include "app/gl/program.h"

namespace satdof {

// A recent mean of the image for float32-mean tables, from 64x64 texels spread evenly over the image. An
// approximation suffices, because box sums add it back. Read back some frames later; 0 until the first value
// arrives.
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
