#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/core/thread_pool.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// The near scatter in main memory, without OpenGL. The image is cut into tiles. The threads scatter the tiles
// of even rows and columns, then of odd columns, odd rows, and both. Tiles are as large as the widest disc, so two tiles
// of one round never write the same pixel. Cost for each near pixel: 4 (2K - 1) additions of 16 bytes for each of two discs of K steps.
class CpuScatter {
 public:
  // `threads` includes the caller of run().
  explicit CpuScatter(int threads) : pool_(threads) {}
  // Allocates scratch memory. run() does not allocate.
  void resize(glm::ivec2 size);
  // Scatters an image of the size given to resize(), rows without padding. `colour`: linear light. `depth`: nearM / z. Of a
  // layer, all pixels, with premultiplied light, alpha as coverage, and depths behind the focus plane, too.
  // Writes `differences`, four words a pixel. Their inclusive summed-area
  // table, modulo 2^32, is the premultiplied colour and coverage of the near field in units of 2^-24.
  void run(const glm::vec4* colour, const float* depth, const ScatterRule& rule, uint32_t* differences,
           bool layer = false);

 private:
  ThreadPool pool_;
  glm::ivec2 size_{0};
  std::vector<float> radii_;        // signed
  std::vector<float> leastRadius_;  // of each row
};

}  // namespace satdof
