#pragma once
#include <glm/vec4.hpp>

#include "app/gl/async_readback.h"
#include "app/gl/program.h"

namespace satdof {

// The approximate mean of a recent image, from 64x64 texels evenly spaced over the image. float32-mean tables
// subtract the mean and box sums add the same value back, so it need not be exact. The mean arrives some frames
// late; 0 until the first one arrives.
class ImageMean {
 public:
  ImageMean();
  // `alone`: the mean of this image; waits for it.
  glm::vec4 update(const gl::Texture& colour, bool alone = false);

 private:
  static constexpr int kSidePx = 16;
  gl::Program program_;
  gl::Texture cells_;
  gl::Framebuffer framebuffer_;
  AsyncReadback reads_;
  glm::vec4 mean_{0.0f};
};

}  // namespace satdof
