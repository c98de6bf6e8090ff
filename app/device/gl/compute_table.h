#pragma once
#include <glm/vec2.hpp>
#include <memory>

#include "app/device/table.h"

namespace satdof {

// How shaders/sat/table.comp works. The defaults are for GPUs. Software OpenGL takes tiles of 64 x 32: fewer barriers.
struct ComputeTableTuning {
  // In pixels. With p = tile.x * tile.y / threads pixels a thread: tile.x is a multiple of 16 and of p, tile.y a multiple
  // of 8 and of 2 p that divides threads, and threads a multiple of 32. Tiles of 64 x 32 take 31 KB of shared
  // memory; OpenGL promises 32.
  glm::ivec2 tile{32, 32};
  int threads = 256;
  int carryEvery = 8;  // tiles along an axis
  int polls = 64;      // before a work group does the work of a tile that it waits for

  // For tests.
  unsigned firstBuild = 1;  // 1 to 65535
  int stallEvery = 0;       // every n-th work group does not publish; 0: none stalls
  int stallPolls = 0;       // before it gives up; it publishes if another work group did its work by then
};

std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const TableSpec& spec,
                                                        const ComputeTableTuning& tuning);

}  // namespace satdof
