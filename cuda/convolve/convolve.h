#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/convolve/variants.h"
#include "cuda/runtime/work.h"

// Convolution by a mask, in one or two dimensions. The mask is not flipped, and the edge of the input is
// replicated:
//   out(x, y) = sum over i, j of weight(i, j) in(clamp(x + i - width / 2), clamp(y + j - height / 2)).
// Cost per element: width * height products for one mask; width + height for the two factors of a separable
// mask.
namespace satdof::cuda {

inline constexpr int kMaxMaskSide = 63;

// Weight (i, j) is weights[j * width + i].
template <class T>
struct Mask {
  int width = 1, height = 1;  // odd, at most kMaxMaskSide
  std::vector<T> weights{T{1}};
};

// The passes of a convolution, in order: one mask; or the two factors of a separable mask, one a row of
// weights, the other a column.
template <class T>
using MaskPasses = std::vector<Mask<T>>;

// Arrays of width x height elements, row by row, without gaps. A height of 1 is a convolution in one
// dimension.
struct Extent {
  int width = 0, height = 1;
};

// Convolves arrays of std::int32_t (modulo 2^32) or float in device memory. All variants add the products in
// the same order and give the same bits. Owns its mask and scratch memory, so one object serves one stream at
// a time.
template <class T>
class Convolver {
 public:
  virtual ~Convolver() = default;
  // Enqueues on `stream`. `input` and `output` must not overlap. Does not allocate or wait.
  virtual void run(const T* input, T* output, CUstream_st* stream) = 0;
};

// Throws std::runtime_error unless there are one or two passes, if a mask has an even side, a side above
// kMaxMaskSide or a wrong number of weights, or if memory runs out.
template <class T>
std::unique_ptr<Convolver<T>> makeConvolver(Convolve variant, Extent extent, const MaskPasses<T>& passes);
extern template std::unique_ptr<Convolver<float>> makeConvolver(Convolve, Extent, const MaskPasses<float>&);
extern template std::unique_ptr<Convolver<std::int32_t>> makeConvolver(Convolve, Extent,
                                                                       const MaskPasses<std::int32_t>&);

// Convolves images of one size. Between the two passes of a separable mask, colours are 32-bit floats.
class ImageConvolver : public Work {  // one stage, "filter"
 public:
  // Enqueues: writes the convolution of `image` plus the offset to `filtered`, limited to the range of half
  // floats. Alpha is copied. Both are RGBA16F arrays for surface load and store. Does not allocate or wait,
  // except in the first call with new arrays.
  virtual void run(cudaArray* image, cudaArray* filtered, CUstream_st* stream) = 0;
};

// Throws as makeConvolver().
std::unique_ptr<ImageConvolver> makeImageConvolver(Convolve variant, Extent extent, const MaskPasses<float>& passes,
                                                   float offset);

}  // namespace satdof::cuda
