#pragma once
#include <glm/vec2.hpp>
#include <memory>

#include "app/device/table.h"

namespace satdof {

// Parameters of shaders/sat/table.comp. The defaults are for GPUs. On software OpenGL, tiles of 64 x 32 need fewer
// barriers.
struct ComputeTableTuning {
  // In pixels. Let p = tile.x * tile.y / threads, the pixels of a thread. tile.x must be a multiple of 16 and of p;
  // tile.y a multiple of 8 and of 2 p, and a divisor of threads; threads a multiple of 32. Tiles of 64 x 32 take 31 KB
  // of shared memory; OpenGL guarantees 32.
  glm::ivec2 tile{32, 32};
  int threads = 256;
  int carryEvery = 8;  // tiles along an axis from one carry tile to the next: see shaders/sat/look_back.glsl
  int polls = 64;      // before a work group computes a tile that it waits for

  // For tests.
  unsigned firstBuild = 1;  // 1 to 65535
  int stallEvery = 0;       // every n-th work group stalls before it publishes; 0: none
  int stallPolls = 0;       // polls after which it publishes, unless another one computes its tile first
};

std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec, const ComputeTableTuning& tuning);

}  // namespace satdof
