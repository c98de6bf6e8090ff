#include "cuda/block/divide.h"
#include "cuda/nbody/gravity.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

// a += b dt in the first three components.
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

constexpr unsigned kSumBlocks = 256;
constexpr unsigned kTerms = sizeof(Conserved) / sizeof(double);
struct Terms {
  double of[kTerms];
};
static_assert(sizeof(Terms) == sizeof(Conserved));

// sum[k] = term k of all threads of the block; in thread 0.
__device__ void sumBlock(Terms& sum) {
  __shared__ double shared[kThreads];
  for (unsigned k = 0; k < kTerms; ++k) {
    shared[threadIdx.x] = sum.of[k];
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    __syncthreads();
    sum.of[k] = shared[0];
    __syncthreads();
  }
}

__global__ void __launch_bounds__(kThreads)
    sumBodies(const float4* __restrict__ positions, const float4* __restrict__ velocities,
              const float4* __restrict__ accelerations, std::uint32_t bodies, Terms* __restrict__ blocks) {
  Terms sum{};
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < bodies; i += gridDim.x * kThreads) {
    const float4 position = positions[i], velocity = velocities[i];
    const double m = position.w;
    const double p[] = {position.x, position.y, position.z}, v[] = {velocity.x, velocity.y, velocity.z};
    sum.of[0] += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum.of[1] += 0.5 * m * accelerations[i].w;
    for (int k = 0; k < 3; ++k) {
      const int x = (k + 1) % 3, y = (k + 2) % 3;
      sum.of[2 + k] += m * v[k];
      sum.of[5 + k] += m * (p[x] * v[y] - p[y] * v[x]);
    }
  }
  sumBlock(sum);
  if (threadIdx.x == 0) blocks[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads)
    sumOfBlocks(const Terms* __restrict__ blocks, Terms* __restrict__ sums) {
  static_assert(kSumBlocks == kThreads);
  Terms sum = blocks[threadIdx.x];
  sumBlock(sum);
  if (threadIdx.x == 0) *sums = sum;
}

class FixedOrderSums : public ConservedSums {
 public:
  explicit FixedOrderSums(std::uint32_t bodies) : bodies_(bodies), blocks_(kSumBlocks) {}

  void run(const float4* positions, const float4* velocities, const float4* accelerations, Conserved* sums,
           CUstream_st* stream) override {
    launch(sumBodies, {kSumBlocks, kThreads, 0, stream}, positions, velocities, accelerations, bodies_,
           blocks_.data());
    launch(sumOfBlocks, {1, kThreads, 0, stream}, blocks_.data(), reinterpret_cast<Terms*>(sums));
  }

 private:
  std::uint32_t bodies_;
  DeviceArray<Terms> blocks_;
};

}  // namespace

void kick(float4* velocities, const float4* accelerations, float dt, std::uint32_t bodies,
          CUstream_st* stream) {
  enqueueAdvance(velocities, accelerations, dt, bodies, stream);
}

void drift(float4* positions, const float4* velocities, float dt, std::uint32_t bodies, CUstream_st* stream) {
  enqueueAdvance(positions, velocities, dt, bodies, stream);
}

std::unique_ptr<ConservedSums> makeConservedSums(std::uint32_t bodies) {
  return std::make_unique<FixedOrderSums>(bodies);
}

}  // namespace satdof::cuda
