#pragma once
#include <algorithm>

#include "cuda/compact/source.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/lookback.cuh"
#include "cuda/scan/rows.cuh"

// Stream compaction in a single pass, with flags in words or bytes.
namespace satdof::cuda::single_pass {

// Tile shapes. Small tiles occupy more multiprocessors.
//   kGroups    groups of four vectors of four flags per thread;
//   kThreads   threads per block;
//   kBlocks    resident blocks per multiprocessor;
//   kWindows   windows of 32 tiles that the look-back fetches at once.
struct SmallTiles {
  static constexpr std::uint32_t kGroups = 1, kThreads = 128, kBlocks = 8, kWindows = 4;
};
struct MediumTiles {
  static constexpr std::uint32_t kGroups = 1, kThreads = 512, kWindows = 1;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900
  static constexpr std::uint32_t kBlocks = 4;
#else
  static constexpr std::uint32_t kBlocks = 2;  // other multiprocessors may have only 1024 threads
#endif
};
struct LargeTiles {
  static constexpr std::uint32_t kGroups = 2, kThreads = 512, kBlocks = 2, kWindows = 1;
};

constexpr std::uint32_t kGroupVectors = 4;
template <class Tiles>
constexpr std::uint32_t kTile = Tiles::kThreads* Tiles::kGroups* kGroupVectors * 4;

// The flags [index, index + 4) as 0 or 1; flags from `count` on are 0.
__device__ inline uint4 loadFlags(const std::uint32_t* flags, std::uint32_t index, std::uint32_t count) {
  return loadVector(flags, index, count);
}
// Flags of one byte: any value but 0 is set. `flags` need not be aligned.
__device__ inline uint4 loadFlags(const std::uint8_t* flags, std::uint32_t index, std::uint32_t count) {
  std::uint32_t bytes = 0;
  if (index + 4 <= count && reinterpret_cast<std::uintptr_t>(flags) % 4 == 0)
    bytes = *reinterpret_cast<const std::uint32_t*>(flags + index);
  else
    for (std::uint32_t k = 0; k < 4 && index + k < count; ++k) bytes |= std::uint32_t{flags[index + k]} << 8 * k;
  const auto flag = [&](std::uint32_t k) { return static_cast<std::uint32_t>((bytes >> 8 * k & 0xff) != 0); };
  return {flag(0), flag(1), flag(2), flag(3)};
}

// The flags of a tile in registers. Each warp holds a contiguous piece of the tile as rows of 32 vectors of
// four flags.
template <class Tiles>
class TileFlags {
 public:
  template <class Flag>
  __device__ void load(const Flag* flags, std::uint32_t count) {
#pragma unroll
    for (std::uint32_t v = 0; v < kVectors; ++v) vectors_[v] = loadFlags(flags, index(v), count);
  }

  // Counts the set flags before each vector of the warp. Returns the number of set flags of the warp. One
  // warp scan serves a group of four rows: the sum of a row is at most 128, so the four sums fit the bytes of
  // a word.
  __device__ std::uint32_t scan() {
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t group = 0; group < Tiles::kGroups; ++group) {
      std::uint32_t sums = 0;
#pragma unroll
      for (std::uint32_t v = 0; v < kGroupVectors; ++v) sums |= vectorSum(group * kGroupVectors + v) << 8 * v;
      const std::uint32_t through = scanLanes(sums);
      const std::uint32_t rows = __shfl_sync(kAllLanes, through, kWarpSize - 1);
#pragma unroll
      for (std::uint32_t v = 0; v < kGroupVectors; ++v) {
        before_[group * kGroupVectors + v] = sum + byteOf(through - sums, v);
        sum += byteOf(rows, v);
      }
    }
    return sum;
  }

  // Writes the places of the set flags in the tile to places[first], places[first + 1], ..., where `first` is
  // the number of set flags in lower warps. Call after scan().
  __device__ void stage(std::uint16_t* places, std::uint32_t first) const {
#pragma unroll
    for (std::uint32_t v = 0; v < kVectors; ++v) {
      std::uint32_t slot = first + before_[v];
      const auto keep = [&](std::uint32_t flag, std::uint32_t item) {
        if (flag != 0) places[slot] = static_cast<std::uint16_t>(index(v) + item);
        slot += flag;
      };
      keep(vectors_[v].x, 0);
      keep(vectors_[v].y, 1);
      keep(vectors_[v].z, 2);
      keep(vectors_[v].w, 3);
    }
  }

 private:
  static constexpr std::uint32_t kVectors = Tiles::kGroups * kGroupVectors;
  static_assert(kTile<Tiles> <= 1 << 16, "a place in a tile has 16 bits");

  __device__ static std::uint32_t index(std::uint32_t v) {
    const std::uint32_t warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
    return ((warp * kVectors + v) * kWarpSize + lane) * 4;
  }
  __device__ std::uint32_t vectorSum(std::uint32_t v) const {
    return vectors_[v].x + vectors_[v].y + vectors_[v].z + vectors_[v].w;
  }
  __device__ static std::uint32_t byteOf(std::uint32_t word, std::uint32_t i) { return word >> 8 * i & 0xff; }

  uint4 vectors_[kVectors];
  std::uint32_t before_[kVectors];  // set flags of lower rows and lanes of the warp
};

// One tile per block. words[tile]: look-back state of a tile. Steps: count and scan the flags of the tile,
// look back for the number of set flags before it (warp 0) while all warps stage the places of set flags in
// shared memory, then move the elements with coalesced writes.
template <class Tiles, class Flag, class Source, class Element = typename Source::Element>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    compactSinglePass(const Flag* __restrict__ flags, std::uint32_t count, std::uint32_t tiles, Source source,
                      Element* __restrict__ out, std::uint32_t* __restrict__ kept, TileWord* words, TileWord* counter) {
  constexpr std::uint32_t kWarps = Tiles::kThreads / kWarpSize;
  __shared__ Ticket sharedTicket;
  __shared__ std::uint32_t warpSums[kWarps];
  __shared__ std::uint32_t sharedFirst;
  __shared__ std::uint16_t places[kTile<Tiles>];
  const std::uint32_t lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  if (threadIdx.x == 0) sharedTicket = takeTicket(counter, tiles);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const std::uint32_t tileFirst = ticket.tile * kTile<Tiles>;

  TileFlags<Tiles> tile;
  tile.load(flags + tileFirst, count - tileFirst);
  const std::uint32_t warpSum = tile.scan();
  if (lane == 0) warpSums[warp] = warpSum;
  __syncthreads();
  const std::uint32_t throughWarp = scanLanes(lane < kWarps ? warpSums[lane] : 0);
  const std::uint32_t tileSum = __shfl_sync(kAllLanes, throughWarp, kWarps - 1);
  const std::uint32_t beforeWarp = __shfl_sync(kAllLanes, throughWarp, warp) - warpSum;
  if (threadIdx.x == 0 && ticket.tile > 0) publish(words + ticket.tile, tileSum, ticket.run, TileStatus::aggregate);
  tile.stage(places, beforeWarp);
  if (warp == 0) {
    const std::uint32_t before =
        ticket.tile > 0 ? sumTilesBefore<std::uint32_t, Tiles::kWindows>(words, ticket.tile, ticket.run) : 0;
    if (lane == 0) {
      publish(words + ticket.tile, before + tileSum, ticket.run, TileStatus::inclusive);
      sharedFirst = before;
      if (ticket.tile == tiles - 1) *kept = before + tileSum;
    }
  }
  __syncthreads();

  Element* const output = out + sharedFirst;
  constexpr std::uint32_t kAtOnce = 4;
  for (std::uint32_t begin = threadIdx.x; begin < tileSum; begin += kAtOnce * Tiles::kThreads) {
    Element elements[kAtOnce];
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      const std::uint32_t slot = begin + k * Tiles::kThreads;
      if (slot < tileSum) elements[k] = source(tileFirst + places[slot]);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      const std::uint32_t slot = begin + k * Tiles::kThreads;
      if (slot < tileSum) output[slot] = elements[k];
    }
  }
}

// Compaction by a single-pass scan of the flags with decoupled look-back (Merrill and Garland 2016). Every
// tile is compacted in shared memory before it is written. Cost: n reads of flags, one read and one write per
// flagged element, one launch.
template <class Tiles>
class SinglePass {
 public:
  explicit SinglePass(std::uint32_t count)
      : count_(count),
        tiles_(ceilDivide(count, kTile<Tiles>)),
        words_(makeInvalidWords<TileWord>(tiles_)),
        counter_(makeTicketCounter()) {}

  template <class Flag, class Source>
  void enqueue(const Flag* flags, Source source, typename Source::Element* out, std::uint32_t* kept,
               CUstream_st* stream) const {
    launch(compactSinglePass<Tiles, Flag, Source>, {tiles_, Tiles::kThreads, 0, stream}, flags, count_, tiles_, source,
           out, kept, words_.data(), counter_.data());
  }

 private:
  std::uint32_t count_, tiles_;
  DeviceArray<TileWord> words_;
  DeviceArray<TileWord> counter_;
};

// Calls make(Tiles{}) with the fastest tile shape for `count` elements. Thresholds are measured.
template <class Make>
auto withTiles(std::uint32_t count, const Make& make) {
  constexpr std::uint32_t kSmallElements = 1 << 18, kMediumElements = 3 << 20;
  if (count <= kSmallElements) return make(SmallTiles{});
  if (count <= kMediumElements) return make(MediumTiles{});
  return make(LargeTiles{});
}

}  // namespace satdof::cuda::single_pass
