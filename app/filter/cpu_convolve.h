#pragma once
#include <cstdint>

#include "app/core/system/thread_pool.h"
#include "app/filter/mask_pass.h"

namespace satdof {

struct ArraySize {
  int x = 0, y = 1;
};

// One pass of the convolution of FilterMask, without the offset. The arrays have size.x * size.y pixels with `channels`
// elements each (1 to 4), row 0 first. T: float, double, or std::int32_t modulo 2^32. `in` and `out` must not overlap.
// A size of (n, 1) is a convolution in one dimension.

// One core, a loop over the mask for each element: the reference for tests.
template <class T>
void convolveSequential(ArraySize size, int channels, const T* in, T* out, const MaskPassOf<T>& mask);

// All threads of the pool, vectorised: pieces of 256 pixels of a row, with the sums in registers.
template <class T>
void convolveParallel(ThreadPool& pool, ArraySize size, int channels, const T* in, T* out, const MaskPassOf<T>& mask);

extern template void convolveSequential(ArraySize, int, const float*, float*, const MaskPassOf<float>&);
extern template void convolveSequential(ArraySize, int, const double*, double*, const MaskPassOf<double>&);
extern template void convolveSequential(ArraySize, int, const std::int32_t*, std::int32_t*,
                                        const MaskPassOf<std::int32_t>&);
extern template void convolveParallel(ThreadPool&, ArraySize, int, const float*, float*, const MaskPassOf<float>&);
extern template void convolveParallel(ThreadPool&, ArraySize, int, const double*, double*, const MaskPassOf<double>&);
extern template void convolveParallel(ThreadPool&, ArraySize, int, const std::int32_t*, std::int32_t*,
                                      const MaskPassOf<std::int32_t>&);

}  // namespace satdof
