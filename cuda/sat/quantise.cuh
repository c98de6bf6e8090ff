#pragma once
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// The table element for the image value v of a channel. float32: v - mean. uint32: quantise() of
// shaders/sat/quantisation.glsl, in fewer instructions: the product clamped * scale is exact and at most
// 2^23, so adding 2^23 rounds it to an integer in the low bits.
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
