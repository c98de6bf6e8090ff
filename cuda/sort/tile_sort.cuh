#pragma once
#include "cuda/block/divide.h"
#include "cuda/block/warp.cuh"
#include "cuda/sort/sorter.h"

// Step 1 of the sort of GPU Gems 3, 39.3.3: radix sort of every tile of an array in shared memory.
namespace satdof::cuda {

struct TileSort {
  static constexpr std::uint32_t threads = 512;
  static constexpr std::uint32_t items = 4;  // records per thread
  static constexpr std::uint32_t tile = threads * items;
  static constexpr std::uint32_t warps = threads / kWarpSize;
};
static_assert((TileSort::tile & (TileSort::tile - 1)) == 0, "a bitonic merge takes a power of two");
static_assert(TileSort::warps <= kWarpSize, "one warp scans the sums of all warps");

inline std::uint32_t tileCount(std::uint32_t count) { return ceilDivide(count, TileSort::tile); }

// An element in shared memory: a key (32 bits), or a key in the upper half and its value in the lower half
// (64 bits).
__device__ inline void load(Records records, std::uint32_t i, std::uint32_t& element) { element = records.keys[i]; }
__device__ inline void load(Records records, std::uint32_t i, std::uint64_t& element) {
  element = std::uint64_t{records.keys[i]} << 32 | records.values[i];
}
__device__ inline void store(MutableRecords records, std::uint32_t i, std::uint32_t element) {
  records.keys[i] = element;
}
__device__ inline void store(MutableRecords records, std::uint32_t i, std::uint64_t element) {
  records.keys[i] = static_cast<std::uint32_t>(element >> 32);
  records.values[i] = static_cast<std::uint32_t>(element);
}
__device__ inline std::uint32_t key(std::uint32_t element) { return element; }
__device__ inline std::uint32_t key(std::uint64_t element) { return static_cast<std::uint32_t>(element >> 32); }

// Stable partition of a tile by one bit. With f zeros before a slot and F zeros in the tile, the slot's
// element moves to f if its bit is 0, else to F + slot - f. A warp owns `items` rows of 32 slots. Ballots
// count zeros within the warp; a scan of the warps' counts gives the zeros in lower warps. Cost: one read and one write
// of shared memory per element, two barriers.
template <class Element>
__device__ void split(Element* elements, std::uint32_t* warpZeros, std::uint32_t bit) {
  const std::uint32_t lane = threadIdx.x % kWarpSize;
  const std::uint32_t warp = threadIdx.x / kWarpSize;
  const std::uint32_t firstSlot = warp * TileSort::items * kWarpSize + lane;
  const std::uint32_t lowerLanes = (1u << lane) - 1;

  Element held[TileSort::items];
  std::uint32_t zeros[TileSort::items];
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < TileSort::items; ++k) {
    held[k] = elements[firstSlot + k * kWarpSize];
    zeros[k] = __ballot_sync(kAllLanes, (key(held[k]) >> bit & 1) == 0);
    sum += __popc(zeros[k]);
  }
  if (lane == 0) warpZeros[warp] = sum;
  __syncthreads();

  const std::uint32_t laneWarpZeros = lane < TileSort::warps ? warpZeros[lane] : 0;
  const std::uint32_t inclusive = scanLanes(laneWarpZeros);
  const std::uint32_t tileZeros = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
  std::uint32_t before = __shfl_sync(kAllLanes, inclusive - laneWarpZeros, warp);
#pragma unroll
  for (std::uint32_t k = 0; k < TileSort::items; ++k) {
    const std::uint32_t f = before + __popc(zeros[k] & lowerLanes);
    const bool zero = zeros[k] >> lane & 1;
    elements[zero ? f : tileZeros + firstSlot + k * kWarpSize - f] = held[k];
    before += __popc(zeros[k]);
  }
  __syncthreads();
}

// Whether the keys of the tile ascend. Splits are stable, so a tile with ascending keys is sorted stably. A
// barrier of the block.
template <class Element>
__device__ bool isSorted(const Element* elements) {
  bool ascends = true;
  for (std::uint32_t slot = threadIdx.x; slot < TileSort::tile - 1; slot += TileSort::threads)
    ascends = ascends && key(elements[slot]) <= key(elements[slot + 1]);
  return __syncthreads_and(ascends ? 1 : 0) != 0;
}

// Sorts every tile of `input` into the same tile of `output`, one block per tile. Slots from `count` on get
// the largest key; splits are stable, so they stay last. kStopsWhenSorted: tests before every split whether
// the tile is sorted.
template <class Element, bool kStopsWhenSorted>
__global__ void __launch_bounds__(TileSort::threads)
    sortTiles(Records input, MutableRecords output, std::uint32_t count) {
  __shared__ Element elements[TileSort::tile];
  __shared__ std::uint32_t warpZeros[TileSort::warps];
  const std::uint32_t first = blockIdx.x * TileSort::tile;
  for (std::uint32_t slot = threadIdx.x; slot < TileSort::tile; slot += TileSort::threads) {
    Element element = ~Element{0};
    if (first + slot < count) load(input, first + slot, element);
    elements[slot] = element;
  }
  __syncthreads();
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    if constexpr (kStopsWhenSorted)
      if (isSorted(elements)) break;
    split(elements, warpZeros, bit);
  }
  for (std::uint32_t slot = threadIdx.x; slot < TileSort::tile; slot += TileSort::threads)
    if (first + slot < count) store(output, first + slot, elements[slot]);
}

}  // namespace satdof::cuda
