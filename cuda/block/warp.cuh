#pragma once

// Scans and reductions over the 32 lanes of a full warp, by shuffles.
namespace satdof::cuda {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// Inclusive prefix sum over the lanes (Hillis and Steele 1986): 5 shuffles, 5 additions.
template <class T>
__device__ T scanLanes(T value) {
  const unsigned lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (unsigned offset = 1; offset < kWarpSize; offset *= 2) {
    const T below = __shfl_up_sync(kAllLanes, value, offset);
    if (lane >= offset) value += below;
  }
  return value;
}

// The reduction over the lanes by a commutative `combine`, in every lane: a butterfly of 5 shuffles.
template <class T, class Combine>
__device__ T reduceLanes(T value, Combine combine) {
#pragma unroll
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2)
    value = combine(value, __shfl_xor_sync(kAllLanes, value, offset));
  return value;
}
template <class T>
__device__ T sumLanes(T value) {
  return reduceLanes(value, [](T a, T b) { return a + b; });
}
__device__ inline float minLanes(float value) {
  return reduceLanes(value, [](float a, float b) { return fminf(a, b); });
}
__device__ inline float maxLanes(float value) {
  return reduceLanes(value, [](float a, float b) { return fmaxf(a, b); });
}

}  // namespace satdof::cuda
