#pragma once
#include <memory>
#include <vector>

#include "cuda/runtime/work.h"
#include "shaders/lens/passes.h"

// The passes of the lenses on CUDA: kernels that call the functions of shaders/lens/.
namespace satdof::cuda {

// An image of a pass: an array for surface load and store (RGBA16F or R32F, of the size of the image of the lens), or
// memory, row by row (tables, words, means; pyramids level by level). Neither: the pass does not need the image.
struct PassImage {
  cudaArray* array = nullptr;
  void* memory = nullptr;
};

struct PassImages {
  glsl::ivec2 size;                                // of the image of the lens
  bool transposed = false;                         // of all tables
  std::vector<PassImage> reads = {}, writes = {};  // in the order of the binding points of the shader
};

// Runs passes. One object serves one stream at a time. Calls do not allocate or wait, except for new arrays.
class Passes : public Work {
 public:
  // Begins a frame. `stages`: one for each pass in order. An empty name stands for other work between two passes: see
  // skip().
  virtual void begin(const std::vector<const char*>& stages, CUstream_st* stream) = 0;
  // Enqueues the pass of the rule, as the next stage.
  virtual void run(const PassRule& rule, const PassImages& images, CUstream_st* stream) = 0;
  // Ends a stage without a name. Call it after enqueueing the other work.
  virtual void skip(CUstream_st* stream) = 0;
};
std::unique_ptr<Passes> makePasses();

// The number of cells in a pyramid for images of this size. A cell has 16 bytes (floats) or 8 bytes (halves).
std::size_t pyramidCells(glsl::ivec2 imageSize);

}  // namespace satdof::cuda
