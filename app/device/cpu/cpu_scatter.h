#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/thread_pool.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// The near scatter in memory, without OpenGL. All threads scatter bands of rows in two rounds, every other
// band in each. Bands are so high that two bands of one round write no row in common. Cost: 16 bytes added at
// 4 (2K - 1) corners of two discs for each near pixel.
class CpuScatter {
 public:
  // `threads` includes the caller of run().
  explicit CpuScatter(int threads) : pool_(threads) {}
  // Allocates scratch memory. run() does not allocate.
  void resize(glm::ivec2 size);
  // Images have the size given to resize(), rows without padding: `colour`, the bits of four half floats a
  // pixel; `depth`, nearM / z;
  // `differences`, four words a pixel, written: modulo 2^32, their inclusive summed-area table is the
  // premultiplied colour and coverage of the near field in units of 2^-24.
  void run(const uint16_t* colour, const float* depth, const ScatterRule& rule, uint32_t* differences);

 private:
  ThreadPool pool_;
  glm::ivec2 size_{0};
  std::vector<float> leastRadius_;  // the least signed radius of each row
};

}  // namespace satdof
