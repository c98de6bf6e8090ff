#include <cuda/atomic>

#include "cuda/runtime/bits.cuh"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/scan/factories.h"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

namespace {

// Vectors of a thread, threads of a block, blocks on a multiprocessor at once (Turing holds 1024 threads),
// and windows of 32 tiles that are fetched at once when looking back.
struct SmallTiles {
  static constexpr int kVectors = 4;
  static constexpr unsigned kThreads = 128, kBlocks = 8, kWindows = 4;
};
struct MediumTiles {
  static constexpr int kVectors = 4;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr unsigned kThreads = 256, kBlocks = 4, kWindows = 4;
#else
  static constexpr unsigned kThreads = 256, kBlocks = 5, kWindows = 4;
#endif
};
struct LargeTiles {
  static constexpr int kVectors = 8;
  static constexpr unsigned kThreads = 512, kBlocks = 2, kWindows = 1;
};

// Calls function.operator()<Tiles>() with the tiles for these rows: small ones use more multiprocessors,
// large ones, for long rows, look back less often.
template <class Function>
auto withTiles(const Rows& rows, Function&& function) {
  constexpr struct {
    size_t smallElements = size_t{1} << 18, mediumElements = (size_t{1} << 21) - 1;
  } kTuning;
  if (size_t{rows.length} * rows.count <= kTuning.smallElements)
    return function.template operator()<SmallTiles>();
  if (rows.length <= kTuning.mediumElements) return function.template operator()<MediumTiles>();
  return function.template operator()<LargeTiles>();
}

using Word = unsigned long long;
using Atomic = ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>;

// What a tile has made known: its sum and how far that reaches, and in which run. One 64-bit word, so value
// and state arrive together and relaxed order is enough. The run number makes the words of earlier runs count
// as nothing, so nothing needs clearing between runs.
enum class Reach : unsigned { nothing, tile, row };

__device__ Word pack(unsigned value, unsigned run, Reach reach) {
  return Word{value} << 32 | run << 2 | static_cast<unsigned>(reach);
}

__device__ Reach reachOf(Word word, unsigned run) {
  const unsigned state = static_cast<unsigned>(word);
  return state >> 2 == run ? static_cast<Reach>(state & 3) : Reach::nothing;
}

// Hands out tiles in the order in which blocks start, so that a tile only ever waits for tiles that are
// already running. The counter holds the run number in its high half; whoever takes the last tile starts the
// next run.
struct Ticket {
  unsigned tile;
  unsigned run;
};

__device__ Ticket takeTicket(Word* counter, unsigned tiles) {
  const Word ticket = Atomic(*counter).fetch_add(1, ::cuda::memory_order_relaxed);
  const Ticket result{static_cast<unsigned>(ticket), static_cast<unsigned>(ticket >> 32) & 0x3fffffffu};
  if (result.tile == tiles - 1)
    Atomic(*counter).fetch_add((Word{1} << 32) - tiles, ::cuda::memory_order_relaxed);
  return result;
}

// The sum of all tiles of the row before `words[tile]`, found by one full warp: adds the sums of single
// tiles, 32 at a time, back to the nearest tile whose sum reaches the row's start.
template <class T, unsigned kWindows>
__device__ T lookBack(Word* words, unsigned tile, unsigned run) {
  const unsigned lane = threadIdx.x % kWarpSize;
  T sum{0};
  for (unsigned end = tile;;) {
    Word window[kWindows];
    const auto fetch = [&](unsigned w) {
      const unsigned back = w * kWarpSize + lane;
      return back < end ? Atomic(words[end - 1 - back]).load(::cuda::memory_order_relaxed)
                        : pack(0, run, Reach::row);
    };
#pragma unroll
    for (unsigned w = 0; w < kWindows; ++w) window[w] = fetch(w);
#pragma unroll
    for (unsigned w = 0; w < kWindows; ++w) {
      unsigned needed, rowSums;
      for (;;) {
        const Reach reach = reachOf(window[w], run);
        rowSums = __ballot_sync(kAllLanes, reach == Reach::row);
        needed = rowSums == 0 ? kAllLanes : rowSums ^ (rowSums - 1);
        if ((needed & ~__ballot_sync(kAllLanes, reach != Reach::nothing)) == 0) break;
        window[w] = fetch(w);
      }
      sum += sumLanes(needed >> lane & 1 ? fromBits<T>(static_cast<unsigned>(window[w] >> 32)) : T{0});
      if (rowSums != 0) return sum;
    }
    end -= kWindows * kWarpSize;
  }
}

template <class T, class Tiles>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    scanSinglePass(const T* in, T* out, Word* words, Word* counter, Rows rows, unsigned tilesPerRow,
                   bool inclusive) {
  using Tile = WarpTile<T, Tiles::kVectors>;
  __shared__ Ticket sharedTicket;
  __shared__ T sharedCarry;
  __shared__ T warpSums[Tiles::kThreads / kWarpSize];
  if (threadIdx.x == 0) sharedTicket = takeTicket(counter, tilesPerRow * rows.count);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const unsigned row = ticket.tile / tilesPerRow;
  const unsigned tileOfRow = ticket.tile % tilesPerRow;
  const unsigned first = tileOfRow * Tile::kItems * Tiles::kThreads;
  const size_t base = row * rows.pitch + first;

  Tile tile;
  tile.load(in + base, rows.length - first);
  const T sum = tile.scan(warpSums, inclusive);
  T carry{0};
  if (tilesPerRow > 1) {
    if (threadIdx.x < kWarpSize) {
      Word* const rowWords = words + size_t{row} * tilesPerRow;
      const auto publish = [&](T value, Reach reach) {
        if (threadIdx.x == 0)
          Atomic(rowWords[tileOfRow])
              .store(pack(toBits(value), ticket.run, reach), ::cuda::memory_order_relaxed);
      };
      if (tileOfRow > 0) {
        publish(sum, Reach::tile);
        carry = lookBack<T, Tiles::kWindows>(rowWords, tileOfRow, ticket.run);
      }
      publish(carry + sum, Reach::row);
      if (threadIdx.x == 0) sharedCarry = carry;
    }
    __syncthreads();
    carry = sharedCarry;
  }
  tile.store(out + base, rows.length - first, carry);
}

// Single-pass scan with decoupled look-back (Merrill and Garland 2016): each tile makes its sum known, then
// adds up those before it. Cost: n reads, n writes, one launch.
template <class T>
class DecoupledLookback : public RowScan {
 public:
  explicit DecoupledLookback(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        inclusive_(options.inclusive),
        tilesPerRow_(withTiles(rows_,
                               [&]<class Tiles>() {
                                 return ceilDivide(rows_.length,
                                                   WarpTile<T, Tiles::kVectors>::kItems * Tiles::kThreads);
                               })),
        words_(size_t{tilesPerRow_} * rows_.count),
        counter_(1) {
    const Word firstRun = Word{1} << 32;
    SATDOF_CUDA(cudaMemset(words_.data(), 0, words_.bytes()));
    SATDOF_CUDA(cudaMemcpy(counter_.data(), &firstRun, sizeof firstRun, cudaMemcpyHostToDevice));
    SATDOF_CUDA(cudaDeviceSynchronize());
  }

  void run(const void* in, void* out, CUstream_st* stream) override {
    withTiles(rows_, [&]<class Tiles>() {
      scanSinglePass<T, Tiles><<<tilesPerRow_ * rows_.count, Tiles::kThreads, 0, stream>>>(
          static_cast<const T*>(in), static_cast<T*>(out), words_.data(), counter_.data(), rows_,
          tilesPerRow_, inclusive_);
    });
    SATDOF_CUDA_LAUNCHED();
  }

 private:
  Rows rows_;
  bool inclusive_;
  unsigned tilesPerRow_;
  DeviceArray<Word> words_;
  DeviceArray<Word> counter_;
};

}  // namespace

std::unique_ptr<RowScan> makeDecoupledLookback(const ScanOptions& options) {
  return makeForType<DecoupledLookback>(options);
}

}  // namespace satdof::cuda
