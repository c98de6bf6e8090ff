#pragma once
#include <memory>
#include <vector>

#include "cuda/runtime/work.h"
#include "shaders/lens/passes.h"

// The passes of the lenses on CUDA: the functions of shaders/lens/ in kernels.
namespace satdof::cuda {

// An image of a pass: in an array for surface load and store (RGBA16F or R32F, as large as the image of the lens), or in memory, row
// by row (tables, words, means; a pyramid level by level). Neither: the pass needs none.
struct PassImage {
  cudaArray* array = nullptr;
  void* memory = nullptr;
};

struct PassImages {
  glsl::ivec2 size;                                // of the image of the lens
  bool transposed = false;                         // tables
  std::vector<PassImage> reads = {}, writes = {};  // in the order of the binding points of the shader
};

// Runs passes. One object serves one stream at a time. No call allocates or waits, except the first with new arrays.
class Passes : public Work {
 public:
  // Begins a frame with these stages in their order. An empty name stands for other work between passes: see skip().
  virtual void begin(const std::vector<const char*>& stages, CUstream_st* stream) = 0;
  // Enqueues the pass of the rule, the next stage.
  virtual void run(const PassRule& rule, const PassImages& images, CUstream_st* stream) = 0;
  // Ends the stage without a name. Call after the other work is enqueued.
  virtual void skip(CUstream_st* stream) = 0;
};
std::unique_ptr<Passes> makePasses();

// Cells of a pyramid for images of this size: 16 bytes each for means, 8 for halves.
std::size_t pyramidCells(glsl::ivec2 imageSize);

}  // namespace satdof::cuda
