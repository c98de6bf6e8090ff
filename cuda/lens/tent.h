#pragma once
#include <memory>

#include "cuda/runtime/texels.h"
#include "cuda/runtime/work.h"
#include "shaders/lens/tent/tent.h"

// The tent lens on CUDA, beside its tables: the functions of shaders/lens/tent/tent.glsl in kernels.
namespace satdof::cuda {

// Arrays for surface load and store. colour and blurred: RGBA16F; depth: R32F.
struct TentImages {
  cudaArray* colour = nullptr;
  cudaArray* depth = nullptr;
  cudaArray* blurred = nullptr;
};

// Blurs images of one size. No call allocates or waits, except the first with new arrays.
class Tent : public Work {  // stages "quantise", "lens"
 public:
  // Writes the image that the tables sum: rule.size cells.
  virtual void quantise(cudaArray* colour, const glsl::TentRule& rule, Texel* cells, CUstream_st* stream) = 0;
  // `table`: the table of the table of the cells. Cost: 9 look-ups a tent, one tent or two a pixel, four
  // times as many if cells are 2 x 2 pixels.
  virtual void blur(const TentImages& images, const Texel* table, bool transposed, const glsl::TentRule& rule,
                    CUstream_st* stream) = 0;
};

std::unique_ptr<Tent> makeTent(int width, int height);

}  // namespace satdof::cuda
