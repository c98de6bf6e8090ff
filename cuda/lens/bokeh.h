#pragma once
#include <cstdint>
#include <memory>

#include "cuda/compact/variants.h"
#include "cuda/runtime/work.h"
#include "cuda/scan/variants.h"
#include "cuda/sort/variants.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof::cuda {

struct BokehOptions {
  int width = 0, height = 0;
  std::uint32_t capacity = 1 << 16;  // sprites
  Compaction compaction = Compaction::scanScatter;
  Sort sort = Sort::cub;
  Scan scan = Scan::fused;  // of the compaction and the sort, see makeCompactor()
};

// Collects the bokeh sprites of images of one size, see shaders/bokeh/bokeh.glsl: marks the first highlight
// of each kind in each cell, compacts their indices (GPU Gems 3, 39.3.1), sorts them by depth (39.3.3) and
// sums the cells. Owns its scratch memory: one object serves one stream at a time.
class BokehCollector : public Work {
 public:
  // Enqueues on `stream`. Writes the first sprites of `sprites`, far to near, at equal depth by row, then
  // column of their first pixels, and their number to `command`: none if there are more than the capacity.
  // Other sprites stay unchanged. All arrays allow surface load and store: `colour` (RGBA16F, linear
  // light) and `depth` (R32F, nearM / z >= 0) of width x height texels; `sprites` (spriteRows(capacity) rows)
  // and `command` as in shaders/bokeh/bokeh.h. Does not allocate or wait, except for new arrays.
  virtual void collect(cudaArray* colour, cudaArray* depth, const BokehRule& rule, cudaArray* sprites,
                       cudaArray* command, CUstream_st* stream) = 0;
};

// Throws std::runtime_error if the size or capacity is not positive or memory runs out.
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehOptions& options);

}  // namespace satdof::cuda
