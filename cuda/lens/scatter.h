#pragma once
#include <memory>

#include "cuda/runtime/work.h"
#include "shaders/lens/near_scatter.h"

// The near field's scatter on CUDA, behind plain C++: shaders/lens/layered/scatter.comp, the same integers.
namespace satdof::cuda {

// Spreads the near pixels of images of one size. Owns its scratch memory, so one object serves one stream
// at a time.
class Scatter : public Work {  // stages "scatter", "differences"
 public:
  // Enqueues on `stream`. All arrays are of the image's size, made for surface load/store: `colour`
  // (RGBA16F, linear light), `depth` (R32F, nearM / z); `differences` (RGBA32UI) is written as
  // app/device/near_scatter.h says. Neither allocates nor waits, once it has seen its arrays.
  virtual void run(cudaArray* colour, cudaArray* depth, const ScatterRule& rule, cudaArray* differences,
                   CUstream_st* stream) = 0;
};

// Throws std::runtime_error when the size is not positive, or memory runs out.
std::unique_ptr<Scatter> makeScatter(int width, int height);

}  // namespace satdof::cuda
