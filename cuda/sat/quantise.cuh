#pragma once
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Element of channel `channel` for image value v. uint32: roundEven(min(max(v, 0), ceiling) * scale), at
// most 2^23, of which the sum with 2^23 has just the bits; the product is exact. float32: v - mean.
template <class T>
__device__ T toElement(float v, int channel, const Quantisation& quantisation);

template <>
__device__ inline unsigned toElement<unsigned>(float v, int, const Quantisation& quantisation) {
  constexpr float kBias = 0x1p23f;
  const float clamped = fminf(fmaxf(v, 0.0f), quantisation.ceiling);
  return __float_as_uint(__fmaf_rn(clamped, quantisation.scale, kBias)) - __float_as_uint(kBias);
}

template <>
__device__ inline float toElement<float>(float v, int channel, const Quantisation& quantisation) {
  return v - quantisation.mean[channel];
}

}  // namespace satdof::cuda
