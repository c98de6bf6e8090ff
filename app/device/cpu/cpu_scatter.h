#pragma once
#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/core/system/thread_pool.h"
#include "shaders/lens/aperture/staircase.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// Staircase disc n: a sum of stairRectangles() rectangles around one centre, the first `steps` of them added, the
// others subtracted (shaders/lens/aperture/staircase.glsl).
struct StaircaseDisc {
  int area;          // pixels
  glm::ivec2 reach;  // largest half-widths of the rectangles
  std::array<glm::ivec2, glsl::kMaxRectangles> halves;
};

// The near scatter in main memory, without OpenGL. The image is cut into tiles, which the threads scatter in four
// rounds: tiles of even columns and rows, odd columns, odd rows, odd columns and rows. A tile is as large as the widest
// disc, so two tiles of one round never write the same pixel. Cost: for each scattered pixel, two discs of K steps with
// 4 (2K - 1) additions of 16 bytes each.
class CpuScatter {
 public:
  // `threads` includes the caller of run().
  explicit CpuScatter(int threads) : pool_(threads) {}
  // Allocates scratch memory. run() allocates only for discs that are wider than all before.
  void resize(glm::ivec2 size);
  // Scatters an image of the size given to resize(), rows without padding. `colour`: linear light. `depth`: nearM / z.
  // Writes `differences`, four words a pixel. Their inclusive summed-area table, modulo 2^32, is the premultiplied
  // colour and coverage of the scattered pixels in units of 2^-24. `layer`: scatters every pixel by the absolute value
  // of its radius; `colour` is premultiplied, its alpha the coverage.
  void run(const glm::vec4* colour, const float* depth, const ScatterRule& rule, uint32_t* differences,
           bool layer = false);

 private:
  // Clears the differences, and writes radii_ and leastRadius_. Returns the least radius, at most 0.
  float prepare(const float* depth, const ThinLens& lens, bool layer, uint32_t* differences);

  ThreadPool pool_;
  glm::ivec2 size_{0};
  std::vector<float> radii_;          // signed
  std::vector<float> leastRadius_;    // of each row, at most 0
  std::vector<StaircaseDisc> discs_;  // by n
};

}  // namespace satdof
