#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/thread_pool.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// The near field's scatter in memory; nothing here knows OpenGL. Bands of rows are scatter on all threads in
// two rounds, every other band in each: a band is so high that those of one round touch no row in common. 16
// bytes are added at 4 (2K - 1) corners of two discs a near pixel.
class CpuScatter {
 public:
  // `threads` includes the caller of run().
  explicit CpuScatter(int threads) : pool_(threads) {}
  // Sizes the scratch memory. run() allocates nothing.
  void resize(glm::ivec2 size);
  // Images of that size, row after row without padding: `colour` of four half floats (as bits), `depth`;
  // `differences`, four words a pixel, as in NearScatter.
  void run(const uint16_t* colour, const float* depth, const ScatterRule& rule, uint32_t* differences);

 private:
  ThreadPool pool_;
  glm::ivec2 size_{0};
  std::vector<float> leastRadius_;  // of each row
};

}  // namespace satdof
