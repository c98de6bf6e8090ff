#pragma once
#include "cuda/nbody/pair.cuh"
#include "cuda/nbody/split.h"

namespace satdof::cuda {

// A block has `threads` threads with `targets` targets each, and tiles of `threads` sources.
template <unsigned kThreads, unsigned kTargets>
struct TileShape {
  static constexpr unsigned threads = kThreads;
  static constexpr unsigned targets = kTargets;
  static constexpr unsigned group = threads * targets;  // targets of a block
};

inline constexpr unsigned kUnroll = 4;

// Adds the fields of `count` sources, a multiple of kUnroll, at all targets of this thread. `firstSource`,
// `firstTarget`: the index of the first source, and of this thread's first target.
template <class Shape, Masses masses, bool withPotential>
__device__ inline void addTile(Field (&fields)[Shape::targets], const float3 (&targets)[Shape::targets],
                               const float4* sources, unsigned count, float softeningSquared, std::uint32_t firstSource,
                               std::uint32_t firstTarget) {
  for (unsigned j = 0; j < count; j += kUnroll)
#pragma unroll
    for (unsigned u = 0; u < kUnroll; ++u) {
      const float4 source = sources[j + u];
#pragma unroll
      for (unsigned t = 0; t < Shape::targets; ++t)
        addField<masses, withPotential>(fields[t], targets[t], source, softeningSquared,
                                        firstSource + j + u == firstTarget + t * Shape::threads);
    }
}

// partial[chunk * bodies + i] = the field of the sources of a chunk at body i. A source is read from shared
// memory once for all targets of a thread. If all masses of a tile are equal, the mass multiplies the sum of
// the tile instead of every pair. Padding has mass 0.
template <class Shape, bool withPotential>
__global__ void __launch_bounds__(Shape::threads)
    sumTiles(const float4* __restrict__ positions, std::uint32_t bodies, PairSplit split, float softeningSquared,
             float4* __restrict__ partial) {
  __shared__ float4 tile[Shape::threads];
  const std::uint32_t group = blockIdx.x % split.groups;
  const std::uint32_t chunk = blockIdx.x / split.groups;
  const std::uint32_t firstTarget = group * Shape::group + threadIdx.x;
  float3 targets[Shape::targets];
  Field fields[Shape::targets];
#pragma unroll
  for (unsigned t = 0; t < Shape::targets; ++t) {
    const float4 position = positions[min(firstTarget + t * Shape::threads, bodies - 1)];
    targets[t] = {position.x, position.y, position.z};
  }
  const std::uint32_t end = min((chunk + 1) * split.chunkSize, bodies);
  for (std::uint32_t first = chunk * split.chunkSize; first < end; first += Shape::threads) {
    const std::uint32_t count = min(Shape::threads, end - first);
    const float4 source = threadIdx.x < count ? positions[first + threadIdx.x] : float4{0.0f, 0.0f, 0.0f, 0.0f};
    __syncthreads();
    tile[threadIdx.x] = source;
    __syncthreads();
    const unsigned padded = (count + kUnroll - 1) / kUnroll * kUnroll;
    if constexpr (!withPotential) {
      const float mass = tile[0].w;
      if (__syncthreads_and(threadIdx.x >= padded || source.w == mass)) {
        Field sums[Shape::targets];
        addTile<Shape, Masses::one, false>(sums, targets, tile, padded, softeningSquared, first, firstTarget);
#pragma unroll
        for (unsigned t = 0; t < Shape::targets; ++t) {
          fields[t].x = fmaf(mass, sums[t].x, fields[t].x);
          fields[t].y = fmaf(mass, sums[t].y, fields[t].y);
          fields[t].z = fmaf(mass, sums[t].z, fields[t].z);
        }
        continue;
      }
    }
    addTile<Shape, Masses::general, withPotential>(fields, targets, tile, padded, softeningSquared, first, firstTarget);
  }
#pragma unroll
  for (unsigned t = 0; t < Shape::targets; ++t) {
    const std::uint32_t i = firstTarget + t * Shape::threads;
    if (i < bodies)
      partial[std::size_t{chunk} * bodies + i] = {fields[t].x, fields[t].y, fields[t].z, fields[t].potential};
  }
}

}  // namespace satdof::cuda
