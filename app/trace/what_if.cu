#include "app/trace/what_if.h"

#include "cuda/runtime/device_array.h"
#include "cuda/scan/decoupled_lookback.cuh"
#include "cuda/scan/tree.cuh"

// Scans with known mistakes. Only the emulator runs them.
namespace satdof::cuda {

namespace {

// blelloch-padded's order: the two elements of a thread are half a tile apart.
struct HalfTileApart {
  __device__ static unsigned first(unsigned thread) { return thread; }
  __device__ static unsigned second(unsigned thread) { return thread + blockDim.x; }
};

struct NoPadding : HalfTileApart {
  __device__ static unsigned address(unsigned i) { return i; }
  static size_t elements(size_t n) { return n; }
};

// Shifts as the GPU does: 32 bits or more give 0.
__device__ constexpr unsigned shiftedRight(unsigned value, unsigned bits) { return bits < 32 ? value >> bits : 0; }

// The macro of listing 39-3 as printed, for 16 banks:
//   #define CONFLICT_FREE_OFFSET(n) ((n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS))
// A sum binds tighter than a shift, so n is shifted by NUM_BANKS + n.
struct BookPadding : HalfTileApart {
  __device__ static unsigned address(unsigned i) {
    constexpr unsigned kBanks = 16, kLogBanks = 4;
    return i + shiftedRight(shiftedRight(i, kBanks + i), 2 * kLogBanks);
  }
  static size_t elements(size_t n) { return n + (n >> 4) + (n >> 8); }
};

// scanTree() without the barrier between the first and the second level of the up-sweep.
struct MissingBarrier {
  static constexpr unsigned kItems = 2;
  static size_t sharedElements(unsigned threads) { return kItems * threads; }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool, T* total) {
    T* const tree = sharedMemory<T>();
    const unsigned thread = threadIdx.x, n = kItems * blockDim.x;
    for (const unsigned i : {2 * thread, 2 * thread + 1}) tree[i] = i < count ? in[i] : T{0};
    unsigned offset = 1;
    for (unsigned nodes = n / 2; nodes > 0; nodes /= 2, offset *= 2) {
      if (offset != 2) __syncthreads();
      if (thread < nodes) sweepUp<Adjacent>(tree, thread, offset);
    }
    if (thread == 0) clearRoot<Adjacent>(tree, n, total);
    for (unsigned nodes = 1; nodes < n; nodes *= 2) {
      offset /= 2;
      __syncthreads();
      if (thread < nodes) sweepDown<Adjacent>(tree, thread, offset);
    }
    __syncthreads();
    for (const unsigned i : {2 * thread, 2 * thread + 1})
      if (i < count) out[i] = tree[i];
  }
};

// A tree over the elements of the tile alone, not padded with zeros to a power of two.
struct NotPowerOfTwo {
  static constexpr unsigned kItems = 2;
  static size_t sharedElements(unsigned threads) { return kItems * threads; }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool, T* total) {
    T* const tree = sharedMemory<T>();
    const unsigned thread = threadIdx.x;
    for (const unsigned i : {2 * thread, 2 * thread + 1})
      if (i < count) tree[i] = in[i];
    scanTree<Adjacent>(tree, count, total);
    for (const unsigned i : {2 * thread, 2 * thread + 1})
      if (i < count) out[i] = tree[i];
  }
};

constexpr unsigned kStallThreads = 32;

// Look-back without tickets; a tile is one block of one warp. Tiles are numbered against the order of the blocks, so
// the first block waits for the tile of the last block, which cannot start while the first block occupies the
// multiprocessor.
__global__ void scanWithoutTickets(const unsigned* in, unsigned* out, TileWord* words, unsigned count) {
  constexpr unsigned kRun = 1;
  __shared__ unsigned sharedCarry;
  const unsigned lane = threadIdx.x, tile = gridDim.x - 1 - blockIdx.x, i = tile * kStallThreads + lane;
  const unsigned value = i < count ? in[i] : 0;
  const unsigned sum = scanLanes(value);
  if (lane == kStallThreads - 1) {
    unsigned carry = 0;
    if (tile > 0) {
      TileWord before = fetch(words + tile - 1);
      while (!isValid(before, kRun)) before = fetch(words + tile - 1);
      carry = bitsOf(before);
    }
    publish(words + tile, carry + sum, kRun, TileStatus::inclusive);
    sharedCarry = carry;
  }
  __syncthreads();
  if (i < count) out[i] = sharedCarry + sum - value;
}

class StallingScan : public RowScan {
 public:
  explicit StallingScan(const ScanOptions& options)
      : count_(options.length), tiles_(ceilDivide(count_, kStallThreads)), words_(makeInvalidWords<TileWord>(tiles_)) {}
  void run(const void* in, void* out, CUstream_st* stream) override {
    launch(scanWithoutTickets, {tiles_, kStallThreads, 0, stream}, static_cast<const unsigned*>(in),
           static_cast<unsigned*>(out), words_.data(), count_);
  }

 private:
  unsigned count_, tiles_;
  DeviceArray<TileWord> words_;
};

// decoupled-lookback with blocks of one warp: tiles of 128 elements in place of 2048.
struct OneWarpTiles {
  static constexpr int kVectors = 1;
  static constexpr bool kStreams = false;
  static constexpr unsigned kThreads = 32, kBlocks = 8, kWindows = 1;

  template <class Function>
  static auto with(const Rows&, Function&& function) {
    return function.template operator()<OneWarpTiles>();
  }
};

template <class Scan>
std::unique_ptr<RowScan> make(const ScanOptions& options) {
  return std::make_unique<Scan>(options);
}
template <class Tile>
using Sums = BlockSumScan<Tile, unsigned>;

constexpr struct {
  trace::WhatIf whatIf;
  std::unique_ptr<RowScan> (*make)(const ScanOptions& options);
} kMakers[] = {
    {trace::WhatIf::noPadding, make<Sums<TreeTile<NoPadding>>>},
    {trace::WhatIf::bookPadding, make<Sums<TreeTile<BookPadding>>>},
    {trace::WhatIf::missingBarrier, make<Sums<MissingBarrier>>},
    {trace::WhatIf::notPowerOfTwo, make<Sums<NotPowerOfTwo>>},
    {trace::WhatIf::stall, make<StallingScan>},
    {trace::WhatIf::smallTiles, make<SinglePassScan<unsigned, OneWarpTiles>>},
    {trace::WhatIf::slowBlock, make<SinglePassScan<unsigned, OneWarpTiles>>},
};

}  // namespace

std::unique_ptr<RowScan> makeWhatIf(trace::WhatIf whatIf, const ScanOptions& options) {
  for (const auto& row : kMakers)
    if (row.whatIf == whatIf) return row.make(options);
  return nullptr;
}

}  // namespace satdof::cuda
