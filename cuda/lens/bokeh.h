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
  std::uint32_t capacity = kBokehCapacity;
  Compaction compaction = Compaction::decoupledLookback;
  Sort sort = Sort::onesweep;
  Scan scan = Scan::fused;  // for compaction and sort, see makeCompactor()
};

// Arrays that allow surface load and store.
struct BokehArrays {
  cudaArray* colour = nullptr;  // RGBA16F, linear light
  cudaArray* depth = nullptr;   // R32F, nearM / z >= 0
  // The two textures of shaders/bokeh/bokeh.h; `sprites` has spriteRows(capacity) rows.
  cudaArray* sprites = nullptr;
  cudaArray* command = nullptr;
  cudaArray* reduced = nullptr;  // colour without the light of the sprites; null: not written
};

// Collects the bokeh sprites of images of one size (shaders/bokeh/bokeh.glsl): marks the first highlight
// of each kind in each cell, compacts their indices (GPU Gems 3, 39.3.1), sorts them by depth (39.3.3) and
// sums the cells. Owns its scratch memory, so one object serves one stream at a time.
class BokehCollector : public Work {
 public:
  // Enqueues on `stream`. Writes the sprites from far to near, at equal depth by row, then column of their first
  // pixels, and their number to the command. If there are more sprites than the capacity, the number is 0, and all
  // light stays in the reduced image. Texels past the last sprite stay unchanged. Does not allocate or wait, except for
  // new arrays.
  virtual void collect(const BokehArrays& arrays, const BokehRule& rule, CUstream_st* stream) = 0;
};

// Throws std::runtime_error if the size or capacity is not positive or memory runs out.
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehOptions& options);

}  // namespace satdof::cuda
