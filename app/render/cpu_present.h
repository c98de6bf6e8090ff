#pragma once
#include <array>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/render/present.h"

namespace satdof {

// PresentPass on the processor, on all threads, for an image in main memory. Bytes differ from PresentPass by at most
// 1. Scaling interpolates after the tone curve, so bright pixels keep their size.
class CpuPresent {
 public:
  CpuPresent();

  // Whether draw() supports this target and display: 8 bits, the whole image, the filmic tone curve, no split or
  // cross-fade.
  static bool draws(GLuint framebuffer, glm::ivec2 imageSize, const Display& display);
  // Draws `image`, linear light of `imageSize` pixels, into `framebuffer`, scaled to `size`.
  void draw(std::span<const glm::vec4> image, glm::ivec2 imageSize, GLuint framebuffer, glm::ivec2 size,
            const Display& display);

 private:
  static constexpr int kSteps = 4095;
  void encodeRow(std::span<const glm::vec4> row, float exposure, std::uint32_t* bytes) const;

  ThreadPool pool_{hardwareThreads()};
  std::array<std::uint32_t, kSteps + 1> encoded_;  // sRGB byte, indexed by kSteps * sqrt(linear light)
  std::vector<std::uint32_t> bytes_;
  gl::Texture texture_;
  gl::Framebuffer framebuffer_;
};

}  // namespace satdof
