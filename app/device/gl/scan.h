#pragma once
#include <array>
#include <vector>

#include "app/device/gl/ping_pong.h"
#include "app/gl/program.h"

namespace satdof {

// The size of a texture that holds `count` elements in rows of `width`: element i is the texel (i mod width,
// i / width). Throws std::runtime_error if a side would be 0 or exceed GL_MAX_TEXTURE_SIZE.
glm::ivec2 foldedSize(int width, unsigned count);

// Scans a long array that is folded into a texture, with fragment shaders: p reduce passes add neighbours in
// pairs, recursive doubling scans the reduced elements, p down-sweep passes expand the scan (GPU Gems 3,
// 39.2.6; Sengupta et al. 2006). Work: O(n (1 + 2^-p log n)). p = 0 is the running sum of Horn 2005.
class GlFragmentScan {
 public:
  GlFragmentScan(int width, unsigned count, int reducePasses = kReducePasses);

  // Returns the inclusive sums, modulo 2^32: GL_R32UI, folded like `elements` (GL_R32UI,
  // foldedSize(width, count)). Valid until the next call.
  const gl::Texture& run(const gl::Texture& elements);

  static constexpr int kReducePasses = 8;

 private:
  enum Pass { reducePass, doublePass, downPass };
  struct Level {
    unsigned count;
    PingPong textures;
  };
  // Draws a pass from `input` to a side of `output`.
  void draw(Pass pass, const gl::Texture& input, unsigned inputCount, const Level& output, int side,
            unsigned distance = 0) const;

  unsigned width_;
  std::array<gl::Program, 3> programs_;
  std::vector<Level> levels_;  // [i]: the array reduced i times
};

}  // namespace satdof
