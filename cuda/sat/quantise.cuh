#pragma once
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Element of channel `channel` for picture value v. uint32: floor(min(max(v, 0), ceiling) * scale + 0.5),
// each step rounded as in every other backend; float32: v - mean.
template <class T>
__device__ T toElement(float v, int channel, const Quantisation& quantisation);

template <>
__device__ inline unsigned toElement<unsigned>(float v, int, const Quantisation& quantisation) {
  return __float2uint_rz(
      __fadd_rn(__fmul_rn(fminf(fmaxf(v, 0.0f), quantisation.ceiling), quantisation.scale), 0.5f));
}

template <>
__device__ inline float toElement<float>(float v, int channel, const Quantisation& quantisation) {
  return v - quantisation.mean[channel];
}

}  // namespace satdof::cuda
