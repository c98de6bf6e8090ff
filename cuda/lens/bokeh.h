#pragma once
#include <cstdint>
#include <memory>

#include "cuda/compact/variants.h"
#include "cuda/runtime/work.h"
#include "cuda/sort/variants.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof::cuda {

struct BokehOptions {
  int width = 0, height = 0;
  std::uint32_t capacity = 1 << 16;  // sprites
  Compaction compaction = Compaction::scanScatter;
  Sort sort = Sort::cub;
};

// Collects the highlights of images of one size: marks the first of each kind in each cell (a sprite stands
// for them: shaders/bokeh/bokeh.glsl), compacts their indices (GPU Gems 3, 39.3.1), sorts those by depth
// (39.3.3) and sums the cells. Owns its scratch memory, so one object serves one stream at a time.
class BokehCollector : public Work {
 public:
  // Enqueues on `stream`: the highlights become the first sprites of `sprites`, far to near, those of one
  // depth by row, then column of their first pixels, and their number that of `command`; the other sprites
  // stay as they were. Beyond the capacity the topmost rows are left out. All arrays are made for surface
  // load/store. `colour` (RGBA16F, linear light) and `depth` (R32F, nearM / z >= 0): width x height texels;
  // `sprites` (spriteRows(capacity) rows) and `command`: as shaders/bokeh/bokeh.h says. Neither allocates
  // nor waits.
  virtual void collect(cudaArray* colour, cudaArray* depth, const BokehRule& rule, cudaArray* sprites,
                       cudaArray* command, CUstream_st* stream) = 0;
};

// Throws std::runtime_error when the size or capacity is not positive, or memory runs out.
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehOptions& options);

}  // namespace satdof::cuda
