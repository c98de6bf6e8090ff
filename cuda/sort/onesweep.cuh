#pragma once
#include <algorithm>
#include <memory>

#include "cuda/block/divide.h"
#include "cuda/block/warp.cuh"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/ptx.cuh"
#include "cuda/scan/lookback.cuh"
#include "cuda/sort/scratch_records.cuh"

// Onesweep (Adinets and Merrill 2022): least-significant-digit radix sort with one pass over the records per
// digit. Keys defines the order of keys: orderedBits(key) is an unsigned number that is ordered like the key,
// sorted by its lowest kPasses bytes.
namespace satdof::cuda::onesweep {

constexpr std::uint32_t kDigitBits = 8;
constexpr std::uint32_t kDigits = 1 << kDigitBits;

// Unsigned keys of kBytes bytes.
template <std::uint32_t kBytes>
struct IntegerKeys {
  static constexpr std::uint32_t kPasses = kBytes;
  static constexpr std::uint32_t kPadding = 0xffffffff;  // sorts after or with the largest key
  __device__ static std::uint32_t orderedBits(std::uint32_t key) { return key; }
};

// Tile shapes. Small tiles occupy more multiprocessors. A tile must fit static shared memory, at most 48 KB.
//   kThreads   threads per block;
//   kItems     records per thread;
//   kBlocks    resident blocks per multiprocessor;
//   kAhead     tiles that the look-back fetches at once.
struct SmallTiles {
  static constexpr std::uint32_t kThreads = 256, kItems = 8, kBlocks = 4;
  static constexpr int kAhead = 8;
};
struct LargeTiles {
  static constexpr std::uint32_t kThreads = 512, kItems = 16, kBlocks = 2;
  static constexpr int kAhead = 4;
};
// An array in a single tile: the time of a pass grows with the items per thread, and more threads cost more
// in barriers.
template <std::uint32_t kItemsOfThread>
struct OnlyTile {
  static constexpr std::uint32_t kThreads = 256, kItems = kItemsOfThread;
};
struct HistogramTuning {
  static constexpr std::uint32_t threads = 512;
  static constexpr std::uint32_t blocksPerMultiprocessor = 4;
  static constexpr std::uint32_t loads = 8;  // loads in flight per thread
  static constexpr std::uint32_t step = threads * loads;
};

template <class Tiles>
constexpr std::uint32_t kTile = Tiles::kThreads* Tiles::kItems;

// The digit of a key in a pass, lowest digit first: byte `pass` of its ordered bits. One instruction for
// IntegerKeys.
template <class Keys>
__device__ std::uint32_t digitOf(std::uint32_t key, std::uint32_t pass) {
  return __byte_perm(Keys::orderedBits(key), 0, 0x4440 + pass);
}

// Adds to histograms[pass][digit] the number of keys with this digit in this pass. Cost: n reads, and n
// shared-memory atomics per pass.
template <class Keys>
__global__ void __launch_bounds__(HistogramTuning::threads)
    countDigits(const std::uint32_t* __restrict__ keys, std::uint32_t count, std::uint32_t* __restrict__ histograms) {
  __shared__ std::uint32_t counts[Keys::kPasses * kDigits];
  for (std::uint32_t i = threadIdx.x; i < Keys::kPasses * kDigits; i += HistogramTuning::threads) counts[i] = 0;
  __syncthreads();
  const auto add = [&](std::uint32_t key) {
#pragma unroll
    for (std::uint32_t pass = 0; pass < Keys::kPasses; ++pass)
      atomicAdd(counts + pass * kDigits + digitOf<Keys>(key, pass), 1u);
  };
  for (std::uint32_t first = blockIdx.x * HistogramTuning::step; first < count;
       first += gridDim.x * HistogramTuning::step) {
    std::uint32_t loaded[HistogramTuning::loads];
    const auto index = [&](std::uint32_t k) { return first + k * HistogramTuning::threads + threadIdx.x; };
#pragma unroll
    for (std::uint32_t k = 0; k < HistogramTuning::loads; ++k) loaded[k] = index(k) < count ? keys[index(k)] : 0;
#pragma unroll
    for (std::uint32_t k = 0; k < HistogramTuning::loads; ++k)
      if (index(k) < count) add(loaded[k]);
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < Keys::kPasses * kDigits; i += HistogramTuning::threads)
    if (counts[i] != 0) atomicAdd(histograms + i, counts[i]);
}

// Look-back state of one digit of a tile, from the highest bit: 30 bits of a number of records, 1 bit for the
// parity of the run, 1 bit of status. Each pass is a run and writes every word, so words of the pass before
// have the other parity and are invalid. A prefix of 2^30, the largest possible, wraps to 0; no later tile
// then has a record of that digit.
struct DigitWord {
  std::uint32_t bits;
};

__device__ inline DigitWord fetch(const DigitWord* address) { return {loadRelaxed(&address->bits)}; }
__device__ inline void publish(DigitWord* address, std::uint32_t value, unsigned run, TileStatus status) {
  const std::uint32_t bits = value << 2 | (run & 1) << 1 | static_cast<std::uint32_t>(status);
  storeRelaxed(&address->bits, bits);
}
__device__ inline bool isValid(DigitWord word, unsigned run) { return (word.bits >> 1 & 1) == (run & 1); }
__device__ inline bool isInclusive(DigitWord word) { return (word.bits & 1) != 0; }
__device__ inline void add(std::uint32_t& sum, DigitWord word) { sum += word.bits >> 2; }

// The lanes with the same digit as this lane, by eight ballots.
__device__ inline std::uint32_t peersOf(std::uint32_t digit) {
  std::uint32_t peers = kAllLanes;
#pragma unroll
  for (std::uint32_t bit = 0; bit < kDigitBits; ++bit) peers &= lanesWithSameBit(digit, 1u << bit);
  return peers;
}

// The place of this thread's item 0 in the tile; item k is 32 k places after it.
template <class Tiles>
__device__ std::uint32_t firstPlace() {
  return threadIdx.x / kWarpSize * Tiles::kItems * kWarpSize + threadIdx.x % kWarpSize;
}

// Sorts the records of a tile by one digit, stably. Each warp holds a contiguous piece of the tile as kItems
// rows of 32 records. A slot is a place in the sorted tile. Calls in order: count(), findSlots(), stage().
template <class Tiles, class Keys>
class TileOrder {
 public:
  static constexpr std::uint32_t kWarps = Tiles::kThreads / kWarpSize;
  static_assert(Tiles::kThreads >= kDigits, "a thread for each digit");
  static_assert(kTile<Tiles> <= 1 << 16, "a slot has 16 bits");

  struct Memory {
    union {
      std::uint32_t counts[kWarps][kDigits];  // records, then the first slot, of a warp and digit
      std::uint32_t records[kTile<Tiles>];    // keys or values, sorted
    };
    std::uint32_t warpSums[kDigits / kWarpSize];
  };

  __device__ explicit TileOrder(Memory& memory) : memory_(memory) {}

  // Counts the keys by digit, and ranks each key among the keys of its warp with the same digit. Returns the
  // number of keys of the tile with digit threadIdx.x; 0 in threads beyond the digits.
  __device__ std::uint32_t count(const std::uint32_t (&keys)[Tiles::kItems], std::uint32_t pass) {
    const std::uint32_t lane = threadIdx.x % kWarpSize;
    const std::uint32_t lowerLanes = (1u << lane) - 1, higherLanes = ~lowerLanes << 1;
    std::uint32_t* const counts = memory_.counts[threadIdx.x / kWarpSize];
    for (std::uint32_t digit = lane; digit < kDigits; digit += kWarpSize) counts[digit] = 0;
    __syncwarp();
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k) {
      const std::uint32_t digit = digitOf<Keys>(keys[k], pass);
      const std::uint32_t peers = peersOf(digit);
      const std::uint32_t slot = counts[digit] + __popc(peers & lowerLanes);
      __syncwarp();
      if ((peers & higherLanes) == 0) counts[digit] = slot + 1;
      __syncwarp();
      slots_[k / 2] = k % 2 == 0 ? slot : slots_[k / 2] + (slot << 16);
    }
    __syncthreads();
    std::uint32_t sum = 0;
    if (threadIdx.x < kDigits) {
#pragma unroll
      for (std::uint32_t warp = 0; warp < kWarps; ++warp) sum += memory_.counts[warp][threadIdx.x];
    }
    return sum;
  }

  // Exclusive scan over the digits: thread d < kDigits has the value of digit d. Two calls need a barrier in
  // between.
  __device__ std::uint32_t scanDigits(std::uint32_t value) const {
    const std::uint32_t warp = threadIdx.x / kWarpSize;
    const std::uint32_t through = scanLanes(value);
    if (threadIdx.x < kDigits && threadIdx.x % kWarpSize == kWarpSize - 1) memory_.warpSums[warp] = through;
    __syncthreads();
    std::uint32_t before = through - value;
#pragma unroll
    for (std::uint32_t lower = 0; lower + 1 < kDigits / kWarpSize; ++lower)
      if (lower < warp) before += memory_.warpSums[lower];
    return before;
  }

  // Finds the slot of every record. `firstSlot`: the first slot of digit threadIdx.x, from scanDigits() of
  // the counts.
  __device__ void findSlots(const std::uint32_t (&keys)[Tiles::kItems], std::uint32_t pass, std::uint32_t firstSlot) {
    const std::uint32_t* const counts = memory_.counts[threadIdx.x / kWarpSize];
    if (threadIdx.x < kDigits) {
#pragma unroll
      for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        const std::uint32_t ofWarp = memory_.counts[warp][threadIdx.x];
        memory_.counts[warp][threadIdx.x] = firstSlot;
        firstSlot += ofWarp;
      }
    }
    __syncthreads();
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k)
      slots_[k / 2] += counts[digitOf<Keys>(opaque(keys[k]), pass)] << 16 * (k % 2);
    __syncthreads();
  }

  // Moves every record to its slot of memory.records.
  __device__ void stage(const std::uint32_t (&records)[Tiles::kItems]) const {
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k)
      memory_.records[slots_[k / 2] >> 16 * (k % 2) & 0xffff] = records[k];
  }

 private:
  Memory& memory_;
  std::uint32_t slots_[(Tiles::kItems + 1) / 2];  // of the items; two slots of 16 bits per word
};

// Loads the items of this thread from the `count` words of a tile at `from`; items beyond are `fill`.
template <class Tiles>
__device__ void loadItems(const std::uint32_t* __restrict__ from, std::uint32_t count, std::uint32_t fill,
                          std::uint32_t (&items)[Tiles::kItems]) {
  const std::uint32_t first = firstPlace<Tiles>();
  if (count >= kTile<Tiles>) {
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k) items[k] = from[first + k * kWarpSize];
  } else {
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k) {
      const std::uint32_t place = first + k * kWarpSize;
      items[k] = place < count ? from[place] : fill;
    }
  }
}

// One pass: moves all records to their places by one digit. One tile per block. `histogram`: the counts of
// this digit over all keys; reset to 0 for the next sort. The inclusive prefix that tile 0 publishes for a
// digit includes the records of all lower digits. So look-back gives each tile the first output place of each
// of its digits. A tile is first sorted in shared memory, so that writes are mostly coalesced. Items beyond
// the last record have the key kPadding: they come last and are not written.
template <class Tiles, class Keys, bool kValues>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    moveByDigit(Records input, MutableRecords output, std::uint32_t count, std::uint32_t pass,
                std::uint32_t* __restrict__ histogram, DigitWord* words, TileWord* counter, std::uint32_t tiles) {
  using Order = TileOrder<Tiles, Keys>;
  __shared__ typename Order::Memory memory;
  __shared__ std::uint32_t placeOfSlot0[kDigits];
  __shared__ Ticket sharedTicket;
  const bool hasDigit = threadIdx.x < kDigits;
  if (threadIdx.x == 0) sharedTicket = takeTicket(counter, tiles);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const std::uint32_t first = ticket.tile * kTile<Tiles>;
  const std::uint32_t tileCount = min(count - first, kTile<Tiles>);

  std::uint32_t keys[Tiles::kItems];
  loadItems<Tiles>(input.keys + first, tileCount, Keys::kPadding, keys);
  Order order(memory);
  std::uint32_t before = 0;
  if (ticket.tile == 0) {
    before = order.scanDigits(hasDigit ? histogram[threadIdx.x] : 0);
    if (hasDigit) histogram[threadIdx.x] = 0;
  }
  const std::uint32_t digitCount = order.count(keys, pass);
  DigitWord* const own = words + size_t{ticket.tile} * kDigits + threadIdx.x;
  if (hasDigit)
    publish(own, before + digitCount, ticket.run, ticket.tile == 0 ? TileStatus::inclusive : TileStatus::aggregate);
  ThreadLookBack<std::uint32_t, DigitWord, Tiles::kAhead> lookBack(
      own, kDigits, hasDigit ? static_cast<int>(ticket.tile) : 0, ticket.run);
  const std::uint32_t firstSlot = order.scanDigits(digitCount);
  order.findSlots(keys, pass, firstSlot);
  order.stage(keys);
  std::uint32_t values[Tiles::kItems];
  if constexpr (kValues) loadItems<Tiles>(input.values + first, tileCount, 0, values);
  before += lookBack.finish();
  if (hasDigit) {
    publish(own, before + digitCount, ticket.run, TileStatus::inclusive);
    placeOfSlot0[threadIdx.x] = before - firstSlot;
  }
  __syncthreads();

  std::uint32_t digits[(Tiles::kItems + 3) / 4] = {};  // four digits of 8 bits per word
#pragma unroll
  for (std::uint32_t k = 0; k < Tiles::kItems; ++k) {
    const std::uint32_t slot = threadIdx.x + k * Tiles::kThreads;
    const std::uint32_t key = memory.records[slot];
    const std::uint32_t digit = digitOf<Keys>(key, pass);
    digits[k / 4] |= digit << 8 * (k % 4);
    if (slot < tileCount) output.keys[placeOfSlot0[digit] + slot] = key;
  }
  if constexpr (kValues) {
    __syncthreads();
    order.stage(values);
    __syncthreads();
#pragma unroll
    for (std::uint32_t k = 0; k < Tiles::kItems; ++k) {
      const std::uint32_t slot = threadIdx.x + k * Tiles::kThreads;
      const std::uint32_t digit = digits[k / 4] >> 8 * (k % 4) & (kDigits - 1);
      if (slot < tileCount) output.values[placeOfSlot0[digit] + slot] = memory.records[slot];
    }
  }
}

// Sorts an array of one tile: all passes in one block, in registers and shared memory. Cost: n reads, n
// writes.
template <class Tiles, class Keys, bool kValues>
__global__ void __launch_bounds__(Tiles::kThreads) sortTile(Records input, MutableRecords output, std::uint32_t count) {
  using Order = TileOrder<Tiles, Keys>;
  __shared__ typename Order::Memory memory;
  std::uint32_t keys[Tiles::kItems], values[Tiles::kItems];
  loadItems<Tiles>(input.keys, count, Keys::kPadding, keys);
  if constexpr (kValues) loadItems<Tiles>(input.values, count, 0, values);
  const auto exchange = [&](const Order& order, std::uint32_t(&records)[Tiles::kItems]) {
    order.stage(records);
    __syncthreads();
    loadItems<Tiles>(memory.records, kTile<Tiles>, 0, records);
    __syncthreads();
  };
  for (std::uint32_t pass = 0; pass < Keys::kPasses; ++pass) {
    Order order(memory);
    const std::uint32_t digitCount = order.count(keys, pass);
    order.findSlots(keys, pass, order.scanDigits(digitCount));
    exchange(order, keys);
    if constexpr (kValues) exchange(order, values);
  }
#pragma unroll
  for (std::uint32_t k = 0; k < Tiles::kItems; ++k) {
    const std::uint32_t place = firstPlace<Tiles>() + k * kWarpSize;
    if (place >= count) break;
    output.keys[place] = keys[k];
    if constexpr (kValues) output.values[place] = values[k];
  }
}

inline std::uint32_t histogramBlocks(std::uint32_t count) {
  return std::min(ceilDivide(count, HistogramTuning::step),
                  device().multiprocessors * HistogramTuning::blocksPerMultiprocessor);
}

// Arrays of at most one tile, in one launch.
template <class Tiles, class Keys>
class TileSorter : public Sorter {
 public:
  explicit TileSorter(std::uint32_t count) : count_(count) {}

 private:
  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    const auto sort = input.values != nullptr ? sortTile<Tiles, Keys, true> : sortTile<Tiles, Keys, false>;
    launch(sort, {1, Tiles::kThreads, 0, stream}, input, output, count_);
  }

  std::uint32_t count_;
};

// Histograms of all digits, then one pass per digit, with decoupled look-back over tiles for each of the 256
// digits. Cost: n reads for the histograms, then n reads and n writes per pass; one launch more than passes.
template <class Tiles, class Keys>
class OnesweepSorter : public Sorter {
 public:
  explicit OnesweepSorter(std::uint32_t count)
      : count_(count),
        tiles_(ceilDivide(count, kTile<Tiles>)),
        histogramBlocks_(histogramBlocks(count)),
        scratch_(count),
        histograms_(makeInvalidWords<std::uint32_t>(Keys::kPasses * kDigits)),
        words_(makeInvalidWords<DigitWord>(size_t{tiles_} * kDigits)),
        counter_(makeTicketCounter()) {}

 private:
  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    launch(countDigits<Keys>, {histogramBlocks_, HistogramTuning::threads, 0, stream}, input.keys, count_,
           histograms_.data());
    const auto move = input.values != nullptr ? moveByDigit<Tiles, Keys, true> : moveByDigit<Tiles, Keys, false>;
    Records from = input;
    MutableRecords to = scratch_.like(input), next = output;
    if (Keys::kPasses % 2 == 1) std::swap(to, next);
    for (std::uint32_t pass = 0; pass < Keys::kPasses; ++pass) {
      launch(move, {tiles_, Tiles::kThreads, 0, stream}, from, to, count_, pass, histograms_.data() + pass * kDigits,
             words_.data(), counter_.data(), tiles_);
      from = to;
      std::swap(to, next);
    }
  }

  std::uint32_t count_, tiles_, histogramBlocks_;
  ScratchRecords scratch_;
  DeviceArray<std::uint32_t> histograms_;  // all 0 between sorts
  DeviceArray<DigitWord> words_;
  DeviceArray<TileWord> counter_;
};

// The fastest sorter for `count` records, 1 to 2^30. Thresholds are measured.
template <class Keys>
std::unique_ptr<Sorter> makeSorter(std::uint32_t count) {
  constexpr std::uint32_t kSmallRecords = 1 << 18;
  if (count <= kTile<OnlyTile<4>>) return std::make_unique<TileSorter<OnlyTile<4>, Keys>>(count);
  if (count <= kTile<OnlyTile<8>>) return std::make_unique<TileSorter<OnlyTile<8>, Keys>>(count);
  if (count <= kTile<OnlyTile<16>>) return std::make_unique<TileSorter<OnlyTile<16>, Keys>>(count);
  if (count <= kTile<LargeTiles>) return std::make_unique<TileSorter<LargeTiles, Keys>>(count);
  if (count <= kSmallRecords) return std::make_unique<OnesweepSorter<SmallTiles, Keys>>(count);
  return std::make_unique<OnesweepSorter<LargeTiles, Keys>>(count);
}

}  // namespace satdof::cuda::onesweep
