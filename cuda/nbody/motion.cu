#include "cuda/block/divide.h"
#include "cuda/nbody/gravity.h"
#include "cuda/runtime/launch.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

// a += b * dt in the first three components.
__global__ void __launch_bounds__(kThreads)
    advance(float4* __restrict__ a, const float4* __restrict__ b, float dt, std::uint32_t bodies) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies) return;
  const float4 from = a[i], rate = b[i];
  a[i] = {fmaf(rate.x, dt, from.x), fmaf(rate.y, dt, from.y), fmaf(rate.z, dt, from.z), from.w};
}

void enqueueAdvance(float4* a, const float4* b, float dt, std::uint32_t bodies, CUstream_st* stream) {
  if (bodies == 0) return;
  launch(advance, {blocksFor(bodies, kThreads), kThreads, 0, stream}, a, b, dt, bodies);
}

}  // namespace

void kick(float4* velocities, const float4* accelerations, float dt, std::uint32_t bodies, CUstream_st* stream) {
  enqueueAdvance(velocities, accelerations, dt, bodies, stream);
}

void drift(float4* positions, const float4* velocities, float dt, std::uint32_t bodies, CUstream_st* stream) {
  enqueueAdvance(positions, velocities, dt, bodies, stream);
}

}  // namespace satdof::cuda
