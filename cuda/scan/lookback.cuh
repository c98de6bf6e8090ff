#pragma once
#include <cuda/atomic>

#include "cuda/block/warp.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/ptx.cuh"
#include "cuda/scan/bits.cuh"

// Decoupled look-back (Merrill and Garland 2016), for scans in a single pass over tiles. Each tile
//   1. publishes its sum, the aggregate;
//   2. adds up the aggregates of the tiles before it, back to the nearest tile with an inclusive prefix, and
//      that prefix;
//   3. publishes its own inclusive prefix.
//
// The state of a tile is a word of 64 bits, from the highest bit: 32 bits of the value, 31 bits of the number
// of the run, 1 bit of status. Value and status arrive in one access, so relaxed memory order is enough.
// Words of earlier runs are invalid, so nothing is cleared between runs.
namespace satdof::cuda {

// invalid: not published in this run; never stored.
enum class TileStatus : unsigned { aggregate, inclusive, invalid };

using TileWord = unsigned long long;

__device__ inline TileWord pack(unsigned bits, unsigned run, TileStatus status) {
  return TileWord{bits} << 32 | run << 1 | static_cast<unsigned>(status);
}
__device__ inline unsigned bitsOf(TileWord word) { return static_cast<unsigned>(word >> 32); }
__device__ inline bool isValid(TileWord word, unsigned run) { return static_cast<unsigned>(word) >> 1 == run; }
__device__ inline TileStatus statusOf(TileWord word, unsigned run) {
  return isValid(word, run) ? static_cast<TileStatus>(word & 1) : TileStatus::invalid;
}
// For valid words.
__device__ inline bool isInclusive(TileWord word) { return (word & 1) != 0; }

__device__ inline TileWord fetch(const TileWord* address) { return loadRelaxed(address); }
template <class T>
__device__ void publish(TileWord* address, T value, unsigned run, TileStatus status) {
  storeRelaxed(address, pack(toBits(value), run, status));
}
template <class T>
__device__ T valueOf(TileWord word) {
  return fromBits<T>(bitsOf(word));
}

// The state of a tile for values of 64 bits: two words, the lower half first. Valid if both words are, with
// one status.
struct alignas(16) WideWord {
  TileWord low, high;
};
__device__ inline WideWord fetch(const WideWord* address) {
  const ulonglong2 pair = loadRelaxedPair(&address->low);
  return {pair.x, pair.y};
}
__device__ inline void publish(WideWord* address, TileWord value, unsigned run, TileStatus status) {
  storeRelaxedPair(&address->low, pack(static_cast<unsigned>(value), run, status),
                   pack(static_cast<unsigned>(value >> 32), run, status));
}
__device__ inline bool isValid(const WideWord& word, unsigned run) {
  return isValid(word.low, run) && static_cast<unsigned>(word.low) == static_cast<unsigned>(word.high);
}
__device__ inline TileStatus statusOf(const WideWord& word, unsigned run) {
  return isValid(word, run) ? statusOf(word.low, run) : TileStatus::invalid;
}
__device__ inline bool isInclusive(const WideWord& word) { return isInclusive(word.low); }
template <class T>
__device__ T valueOf(const WideWord& word) {
  return TileWord{bitsOf(word.high)} << 32 | bitsOf(word.low);
}
template <class T, class Word>
__device__ void add(T& sum, const Word& word) {
  sum += valueOf<T>(word);
}

// A valid word with the inclusive prefix 0: stands for tiles before the first.
template <class Word>
__device__ Word emptyWord(unsigned run) {
  const TileWord word = pack(0, run, TileStatus::inclusive);
  if constexpr (sizeof(Word) == sizeof(TileWord))
    return word;
  else
    return {word, word};
}

// The tile of a block, and the number of the run (launch) modulo 2^31.
struct Ticket {
  unsigned tile;
  unsigned run;
};

// Takes the next tile. Tiles are handed out in the order in which blocks start, so that a tile only waits for
// tiles that are running or finished: no deadlock. The counter holds the run in its upper half and the next
// tile in its lower half; the block that takes the last tile advances the counter to the next run. Call in
// one thread per block.
__device__ __forceinline__ Ticket takeTicket(TileWord* counter, unsigned tiles) {
  using Atomic = ::cuda::atomic_ref<TileWord, ::cuda::thread_scope_device>;
  const TileWord ticket = Atomic(*counter).fetch_add(1, ::cuda::memory_order_relaxed);
  const unsigned tile = static_cast<unsigned>(ticket);
  if (tile == tiles - 1) Atomic(*counter).fetch_add((TileWord{1} << 32) - tiles, ::cuda::memory_order_relaxed);
  return {tile, static_cast<unsigned>(ticket >> 32) & 0x7fffffffu};
}

// A counter for takeTicket(), at run 1: words of 0 are invalid. Waits until the memory is written, since work
// may run on streams that do not wait for the default stream.
inline DeviceArray<TileWord> makeTicketCounter() {
  DeviceArray<TileWord> counter(1);
  const TileWord firstRun = TileWord{1} << 32;
  SATDOF_CUDA(cudaMemcpy(counter.data(), &firstRun, sizeof firstRun, cudaMemcpyHostToDevice));
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));
  return counter;
}
// Words of 0. Waits as makeTicketCounter().
template <class Word>
DeviceArray<Word> makeInvalidWords(size_t size) {
  DeviceArray<Word> words(size);
  SATDOF_CUDA(cudaMemset(words.data(), 0, words.bytes()));
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));
  return words;
}

// Look-back by one thread: the sum over the `count` tiles before this tile. `own`: this tile's word; the
// words of the tiles before are at own - stride, own - 2 stride, ... Word: TileWord, or a type with fetch(),
// isValid(), isInclusive() and add(). Fetches kAhead words at once, the first of them in the constructor, so
// that their latency overlaps other work.
template <class Sum, class Word, int kAhead>
class ThreadLookBack {
 public:
  __device__ ThreadLookBack(const Word* own, int stride, int count, unsigned run)
      : own_(own), stride_(stride), count_(count), run_(run) {
    fetchFrom(1);
  }

  // Waits for invalid words, and returns the sum.
  __device__ Sum finish() {
    Sum sum{};
    for (int first = 1; first <= count_; first += kAhead) {
      if (first > 1) fetchFrom(first);
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (first + i > count_) return sum;
        while (!isValid(words_[i], run_)) words_[i] = fetch(own_ - (first + i) * stride_);
        add(sum, words_[i]);
        if (isInclusive(words_[i])) return sum;
      }
    }
    return sum;
  }

 private:
  __device__ void fetchFrom(int first) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (first + i <= count_) words_[i] = fetch(own_ - (first + i) * stride_);
  }

  const Word* own_;
  int stride_, count_;
  unsigned run_;
  Word words_[kAhead];
};

// Look-back by a full warp: the sum over the `tile` tiles before words[tile], in every lane. Fetches kWindows
// windows of 32 tiles at once, nearest tiles first: lane l of window w has the tile 32 w + l + 1 back.
template <class T, unsigned kWindows, class Word>
__device__ T sumTilesBefore(const Word* words, unsigned tile, unsigned run) {
  const unsigned lane = threadIdx.x % kWarpSize;
  T sum{0};
  for (unsigned end = tile;;) {
    Word window[kWindows];
    const auto fetchTile = [&](unsigned w) {
      const unsigned back = w * kWarpSize + lane;
      return back < end ? fetch(words + (end - 1 - back)) : emptyWord<Word>(run);
    };
#pragma unroll
    for (unsigned w = 0; w < kWindows; ++w) window[w] = fetchTile(w);
#pragma unroll
    for (unsigned w = 0; w < kWindows; ++w) {
      unsigned needed, inclusive;  // one bit per lane
      for (;;) {
        const TileStatus status = statusOf(window[w], run);
        inclusive = __ballot_sync(kAllLanes, status == TileStatus::inclusive);
        needed = inclusive ^ (inclusive - 1);  // up to the nearest inclusive tile
        if ((needed & ~__ballot_sync(kAllLanes, status != TileStatus::invalid)) == 0) break;
        window[w] = fetchTile(w);
      }
      sum += sumLanes(needed >> lane & 1 ? valueOf<T>(window[w]) : T{0});
      if (inclusive != 0) return sum;
    }
    end -= kWindows * kWarpSize;
  }
}

// Look-back by a full warp for tiles of four items, in windows of 8 tiles: lane 4 n + c has item c of the
// n-th tile of a window, nearest tile first. `own`: this lane's word of this tile.
class WarpLookBack {
 public:
  static constexpr int kTiles = 8;

  __device__ WarpLookBack(const TileWord* own, int stride, int count, unsigned run)
      : own_(own), stride_(stride), count_(count), run_(run) {}

  // This lane's word of the window whose nearest tile is `first` tiles back; as emptyWord() before the first
  // tile of all.
  __device__ TileWord fetchWindow(int first) const {
    const int tile = first + static_cast<int>(threadIdx.x % kWarpSize) / 4;
    return tile <= count_ ? fetch(own_ - tile * stride_) : pack(0, run_, TileStatus::inclusive);
  }

  struct Window {
    unsigned lanes;      // one bit per lane whose word is part of the sum: up to the nearest inclusive tile
    unsigned inclusive;  // the bit of the first lane of each inclusive tile; 0: no tile is inclusive
  };
  // Fetches the window again until all words that are part of the sum are valid.
  __device__ Window wait(TileWord& word, int first) const {
    for (;;) {
      const unsigned valid = __ballot_sync(kAllLanes, isValid(word, run_));
      const unsigned inclusive = __ballot_sync(kAllLanes, isInclusive(word)) & valid;
      // A tile may be seen half updated. It is inclusive if all four items are.
      const unsigned tiles = inclusive & inclusive >> 1 & inclusive >> 2 & inclusive >> 3 & 0x11111111u;
      const unsigned lanes = (tiles & (0u - tiles)) * 16 - 1;
      if ((lanes & ~(valid & ~(inclusive ^ tiles * 15))) == 0) return {lanes, tiles};
      word = fetchWindow(first);
    }
  }

 private:
  const TileWord* own_;
  int stride_, count_;
  unsigned run_;
};

}  // namespace satdof::cuda
