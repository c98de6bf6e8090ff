#pragma once
#include <glm/vec4.hpp>

#include "app/gl/async_readback.h"
#include "app/gl/program.h"

namespace satdof {

// The approximate mean of a recent image, from 64 x 64 evenly spaced texels. The mean need not be exact: float32-mean
// tables subtract it and box sums add the same value back.
class ImageMean {
 public:
  ImageMean();
  // Returns the newest mean that has arrived, some frames late; 0 before the first. With `waits`, the mean of `colour`.
  glm::vec4 update(const gl::Texture& colour, bool waits = false);

 private:
  static constexpr int kSidePx = 16;
  gl::Program program_;
  gl::Texture cells_;
  gl::Framebuffer framebuffer_;
  AsyncReadback reads_;
  glm::vec4 mean_{0.0f};
};

}  // namespace satdof
