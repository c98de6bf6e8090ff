#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cuda/block/divide.h"
#include "cuda/convolve/convolve.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/ptx.cuh"

namespace satdof::cuda {

// sum + weight * value. Integers: modulo 2^32. Floats: one rounding. Colours: alpha is not summed.
__device__ inline std::int32_t addProduct(std::int32_t sum, std::int32_t weight, std::int32_t value) {
  return static_cast<std::int32_t>(static_cast<unsigned>(sum) +
                                   static_cast<unsigned>(weight) * static_cast<unsigned>(value));
}
__device__ inline float addProduct(float sum, float weight, float value) { return fmaf(weight, value, sum); }
__device__ inline float4 addProduct(float4 sum, float weight, float4 value) {
  return {fmaf(weight, value.x, sum.x), fmaf(weight, value.y, sum.y), fmaf(weight, value.z, sum.z), sum.w};
}

// Sources and sinks of the kernels. Stored: the element type in memory, also in shared memory. Value: the
// type of sums.

// Elements in device memory. T: const for a source.
template <class T>
struct Plane {
  using V = std::remove_const_t<T>;
  using Stored = V;
  using Value = V;
  T* elements;
  int pitch;  // elements
  __device__ V load(int x, int y) const { return elements[static_cast<size_t>(y) * pitch + x]; }
  __device__ static V widen(V stored) { return stored; }
  __device__ void store(int x, int y, V value) const { elements[static_cast<size_t>(y) * pitch + x] = value; }
};

// A source: an RGBA16F array.
struct HalfImage {
  using Stored = ushort4;
  using Value = float4;
  cudaSurfaceObject_t surface;
  __device__ ushort4 load(int x, int y) const {
    return surf2Dread<ushort4>(surface, x * static_cast<int>(sizeof(ushort4)), y);
  }
  __device__ static float4 widen(ushort4 bits) {
    return {__half2float(__ushort_as_half(bits.x)), __half2float(__ushort_as_half(bits.y)),
            __half2float(__ushort_as_half(bits.z)), 0.0f};
  }
};

// A sink: adds the offset, limits the colour to the range of half floats and copies alpha from `original`.
struct FilteredImage {
  HalfImage original;
  cudaSurfaceObject_t surface;
  float offset;
  __device__ static unsigned short narrow(float v) {
    constexpr float kMaxHalf = 65504.0f;
    return __half_as_ushort(__float2half_rn(fminf(fmaxf(v, -kMaxHalf), kMaxHalf)));
  }
  __device__ void store(int x, int y, float4 value) const {
    surf2Dwrite(
        ushort4{narrow(value.x + offset), narrow(value.y + offset), narrow(value.z + offset), original.load(x, y).w},
        surface, x * static_cast<int>(sizeof(ushort4)), y);
  }
};

struct MaskShape {
  int width, height;
};

// A mask in global memory.
template <class W>
struct GlobalMask {
  const W* weights;
  MaskShape shape;
};

// A mask in constant memory, as a kernel parameter. Unlike a __constant__ variable, every launch has its own
// copy, so launches on different streams and nodes of a graph do not share a mask. The largest mask, 63 x 63,
// takes 15.9 KB; parameters above 4 KB need CUDA 12.1 and Volta.
template <class W, int kCapacity>
struct ConstantMask {
  W weights[kCapacity];
  MaskShape shape;
};

// Blocks of kWide x kHigh threads. A thread computes kRows outputs of neighbouring rows.
struct RowBlock {  // for masks of height 1
  static constexpr int kWide = 256, kHigh = 1, kRows = 1;
};
struct TallBlock {  // for all other masks
  static constexpr int kWide = 32, kHigh = 8, kRows = 1;
};
struct TileBlock {  // for convolveTiles(): a thread reads an element of the tile once for both of its outputs
  static constexpr int kWide = 32, kHigh = 8, kRows = 2;
};

// One thread per output; every tap reads the source. Cost per output: width * height reads and products.
template <class Block, class Source, class Sink, class Mask>
__global__ void __launch_bounds__(Block::kWide* Block::kHigh)
    convolveFromMemory(const Source source, const Sink sink, const int width, const int height,
                       const __grid_constant__ Mask mask) {
  const int x = static_cast<int>(blockIdx.x) * Block::kWide + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * Block::kHigh + static_cast<int>(threadIdx.y);
  if (x >= width || y >= height) return;
  const int left = x - mask.shape.width / 2, bottom = y - mask.shape.height / 2;
  typename Source::Value sum{};
  for (int j = 0; j < mask.shape.height; ++j) {
    const int row = ::min(::max(bottom + j, 0), height - 1);
    for (int i = 0; i < mask.shape.width; ++i) {
      const int column = ::min(::max(left + i, 0), width - 1);
      sum = addProduct(sum, mask.weights[j * mask.shape.width + i], Source::widen(source.load(column, row)));
    }
  }
  sink.store(x, y, sum);
}

// The block loads its tile, with a halo of half the mask on each side, to shared memory; taps read the tile.
// Cost per output: about (1 + width / kWide) (1 + height / (kHigh kRows)) reads of the source, width * height
// products.
template <class Block, class Source, class Sink, class Mask>
__global__ void __launch_bounds__(Block::kWide* Block::kHigh)
    convolveTiles(const Source source, const Sink sink, const int width, const int height,
                  const __grid_constant__ Mask mask) {
  auto* const tile = sharedMemory<typename Source::Stored>();
  const int tileWidth = Block::kWide + mask.shape.width - 1;
  const int tileHeight = Block::kHigh * Block::kRows + mask.shape.height - 1;
  const int tileLeft = static_cast<int>(blockIdx.x) * Block::kWide;
  const int tileBottom = static_cast<int>(blockIdx.y) * Block::kHigh * Block::kRows;
  const int column = static_cast<int>(threadIdx.x);
  for (int j = static_cast<int>(threadIdx.y); j < tileHeight; j += Block::kHigh)
    for (int i = column; i < tileWidth; i += Block::kWide)
      tile[j * tileWidth + i] = source.load(::min(::max(tileLeft - mask.shape.width / 2 + i, 0), width - 1),
                                            ::min(::max(tileBottom - mask.shape.height / 2 + j, 0), height - 1));
  __syncthreads();

  const int row = static_cast<int>(threadIdx.y) * Block::kRows;
  typename Source::Value sums[Block::kRows]{};
  for (int j = 0; j < mask.shape.height + Block::kRows - 1; ++j)
    for (int i = 0; i < mask.shape.width; ++i) {
      const auto value = Source::widen(tile[(row + j) * tileWidth + column + i]);
#pragma unroll
      for (int r = 0; r < Block::kRows; ++r)
        if (static_cast<unsigned>(j - r) < static_cast<unsigned>(mask.shape.height))
          sums[r] = addProduct(sums[r], mask.weights[(j - r) * mask.shape.width + i], value);
    }
  const int x = tileLeft + column;
#pragma unroll
  for (int r = 0; r < Block::kRows; ++r)
    if (const int y = tileBottom + row + r; x < width && y < height) sink.store(x, y, sums[r]);
}

template <class Block>
dim3 gridFor(Extent extent) {
  return dim3(blocksFor(extent.width, Block::kWide), blocksFor(extent.height, Block::kHigh * Block::kRows));
}

}  // namespace satdof::cuda
