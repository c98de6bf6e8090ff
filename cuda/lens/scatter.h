#pragma once
#include <memory>

#include "cuda/runtime/texels.h"
#include "cuda/runtime/work.h"
#include "shaders/lens/near_scatter.h"

// The near scatter on CUDA: the same integers as shaders/lens/layered/scatter.comp.
namespace satdof::cuda {

// Scatters images of one size. Owns or shares scratch memory, so one object serves one stream at a time.
class Scatter : public Work {  // stages "scatter", "differences"
 public:
  // Enqueues on `stream`. All images have one size; arrays allow surface load and store. `colour`: RGBA16F, linear
  // light; of layers premultiplied, with coverage in alpha. `depth`: R32F, nearM / z; for Scattered::blended RGBA16F,
  // BlendedLayer::depth in app/device/scene_frame.h. Writes `differences`, row by row, modulo 2^32: their inclusive
  // summed-area table is the premultiplied colour and coverage of the scattered pixels in units of 2^-24. Does not
  // allocate or wait, except for new arrays.
  virtual void run(Scattered scattered, cudaArray* colour, cudaArray* depth, const ScatterRule& rule,
                   Texel* differences, CUstream_st* stream) = 0;
};

// Scratch memory that scatters of one size may share if they run on one stream. 16 bytes a pixel.
class ScatterScratch;
std::shared_ptr<ScatterScratch> makeScatterScratch(int width, int height);

// `scratch`: null for memory of its own. Throws std::runtime_error if the size is not positive or memory runs out.
std::unique_ptr<Scatter> makeScatter(int width, int height, std::shared_ptr<ScatterScratch> scratch = nullptr);

}  // namespace satdof::cuda
