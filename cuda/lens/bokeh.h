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
  Scan scan = Scan::fused;  // of the compaction and the sort, see makeCompactor()
};

// Arrays that allow surface load and store.
struct BokehArrays {
  cudaArray* colour = nullptr;   // RGBA16F, linear light
  cudaArray* depth = nullptr;    // R32F, nearM / z >= 0
  cudaArray* sprites = nullptr;  // spriteRows(capacity) rows, and the command: as in shaders/bokeh/bokeh.h
  cudaArray* command = nullptr;
  cudaArray* reduced = nullptr;  // colour without the light of the sprites; null: not written
};

// Collects the bokeh sprites of images of one size, see shaders/bokeh/bokeh.glsl: marks the first highlight
// of each kind in each cell, compacts their indices (GPU Gems 3, 39.3.1), sorts them by depth (39.3.3) and
// sums the cells. Owns its scratch memory: one object serves one stream at a time.
class BokehCollector : public Work {
 public:
  // Enqueues on `stream`. Writes the first sprites, far to near, at equal depth by row, then column of their
  // first pixels, and their number to the command: none if there are more than the capacity; then all light
  // stays in the reduced image. Other sprites stay unchanged. Does not allocate or wait, except for new arrays.
  virtual void collect(const BokehArrays& arrays, const BokehRule& rule, CUstream_st* stream) = 0;
};

// Throws std::runtime_error if the size or capacity is not positive or memory runs out.
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehOptions& options);

}  // namespace satdof::cuda
