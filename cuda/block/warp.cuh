#pragma once

// Sums over the lanes of a full warp by shuffles.
namespace satdof::cuda {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// Inclusive scan over the lanes: log2 32 shuffles.
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

// The sum over the lanes, in every lane.
template <class T>
__device__ T sumLanes(T value) {
#pragma unroll
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

}  // namespace satdof::cuda
