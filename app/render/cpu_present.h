#pragma once
#include <array>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/core/thread_pool.h"
#include "app/render/present.h"

namespace satdof {

// PresentPass for an image in main memory, on all threads. Bytes may differ by 1. A scaled image is interpolated after the
// tone curve, so that bright pixels keep their size.
class CpuPresent {
 public:
  CpuPresent();

  // Whether draw() shows an image as PresentPass would: whole, with the filmic tone curve, in 8 bits.
  static bool draws(GLuint framebuffer, glm::ivec2 imageSize, const Display& display);
  // Draws `image`, `imageSize` pixels of linear light, into `size` pixels of `framebuffer`.
  void draw(std::span<const glm::vec4> image, glm::ivec2 imageSize, GLuint framebuffer, glm::ivec2 size,
            const Display& display);

 private:
  static constexpr int kSteps = 4095;
  void encodeRow(std::span<const glm::vec4> row, float exposure, std::uint32_t* bytes) const;

  ThreadPool pool_{hardwareThreads()};
  std::array<std::uint32_t, kSteps + 1> encoded_;  // the byte of sRGB, by the root of linear light
  std::vector<std::uint32_t> bytes_;
  gl::Texture texture_;
  gl::Framebuffer framebuffer_;
};

}  // namespace satdof
