#pragma once
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// The element of image value v in channel `channel`. uint32: quantise() of shaders/sat/quantisation.glsl,
// with fewer instructions: the product is exact and at most 2^23, so the sum with 2^23 rounds it and holds it
// in its low bits. float32: v - mean.
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
