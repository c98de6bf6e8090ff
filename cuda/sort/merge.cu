#include <utility>

#include "cuda/runtime/check.h"
#include "cuda/scan/warp_tile.cuh"
#include "cuda/sort/factories.h"
#include "cuda/sort/scratch_records.cuh"

namespace satdof::cuda {

namespace {

struct Tuning {
  static constexpr std::uint32_t threads = 512;
  static constexpr std::uint32_t items = 4;  // of a thread
  static constexpr std::uint32_t tile = threads * items;
  static constexpr std::uint32_t warps = threads / kWarpSize;
};
static_assert((Tuning::tile & (Tuning::tile - 1)) == 0, "a bitonic merge takes a power of two");
static_assert(Tuning::warps <= kWarpSize, "one warp scans the sums of all warps");

// A record in shared memory: the key alone, or the key above its value.
__device__ void load(Records records, std::uint32_t i, std::uint32_t& element) { element = records.keys[i]; }
__device__ void load(Records records, std::uint32_t i, std::uint64_t& element) {
  element = std::uint64_t{records.keys[i]} << 32 | records.values[i];
}
__device__ void store(MutableRecords records, std::uint32_t i, std::uint32_t element) {
  records.keys[i] = element;
}
__device__ void store(MutableRecords records, std::uint32_t i, std::uint64_t element) {
  records.keys[i] = static_cast<std::uint32_t>(element >> 32);
  records.values[i] = static_cast<std::uint32_t>(element);
}
__device__ std::uint32_t key(std::uint32_t element) { return element; }
__device__ std::uint32_t key(std::uint64_t element) { return static_cast<std::uint32_t>(element >> 32); }

// One bit of the split radix sort of a tile. With f zeros before a slot and F zeros in the tile, zeros move
// to f and ones to F + slot - f. A warp owns `items` rows of 32 slots: ballots count zeros within a warp, a
// scan of the warps' sums across warps. Each bit costs one read and one write of shared memory a record.
template <class Element>
__device__ void split(Element* elements, std::uint32_t* warpZeros, std::uint32_t bit) {
  const std::uint32_t lane = threadIdx.x % kWarpSize;
  const std::uint32_t warp = threadIdx.x / kWarpSize;
  const std::uint32_t firstSlot = warp * Tuning::items * kWarpSize + lane;
  const std::uint32_t lowerLanes = (1u << lane) - 1;

  Element mine[Tuning::items];
  std::uint32_t zeros[Tuning::items];
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < Tuning::items; ++k) {
    mine[k] = elements[firstSlot + k * kWarpSize];
    zeros[k] = __ballot_sync(kAllLanes, (key(mine[k]) >> bit & 1) == 0);
    sum += __popc(zeros[k]);
  }
  if (lane == 0) warpZeros[warp] = sum;
  __syncthreads();

  const std::uint32_t ofLaneWarp = lane < Tuning::warps ? warpZeros[lane] : 0;
  const std::uint32_t inclusive = scanLanes(ofLaneWarp);
  const std::uint32_t tileZeros = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
  std::uint32_t before = __shfl_sync(kAllLanes, inclusive - ofLaneWarp, warp);
#pragma unroll
  for (std::uint32_t k = 0; k < Tuning::items; ++k) {
    const std::uint32_t f = before + __popc(zeros[k] & lowerLanes);
    const bool zero = zeros[k] >> lane & 1;
    elements[zero ? f : tileZeros + firstSlot + k * kWarpSize - f] = mine[k];
    before += __popc(zeros[k]);
  }
  __syncthreads();
}

// Sorts every tile of `input` into the same tile of `output`. Slots at `count` and above have the largest
// key; the split is stable, so they stay last.
template <class Element>
__global__ void __launch_bounds__(Tuning::threads)
    sortTiles(Records input, MutableRecords output, std::uint32_t count) {
  __shared__ Element elements[Tuning::tile];
  __shared__ std::uint32_t warpZeros[Tuning::warps];
  const std::uint32_t first = blockIdx.x * Tuning::tile;
  for (std::uint32_t slot = threadIdx.x; slot < Tuning::tile; slot += Tuning::threads) {
    Element element = ~Element{0};
    if (first + slot < count) load(input, first + slot, element);
    elements[slot] = element;
  }
  __syncthreads();
  for (std::uint32_t bit = 0; bit < 32; ++bit) split(elements, warpZeros, bit);
  for (std::uint32_t slot = threadIdx.x; slot < Tuning::tile; slot += Tuning::threads)
    if (first + slot < count) store(output, first + slot, elements[slot]);
}

// How many of the first `diagonal` keys of the stable merge of ascending a and b come from a (merge path:
// Green, McColl, Bader 2012, section 3). Binary search: log2(min(aCount, bCount)) steps.
__device__ std::uint32_t mergePath(const std::uint32_t* a, std::uint32_t aCount, const std::uint32_t* b,
                                   std::uint32_t bCount, std::uint32_t diagonal) {
  std::uint32_t low = diagonal > bCount ? diagonal - bCount : 0;
  std::uint32_t high = min(diagonal, aCount);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Merges neighbouring ascending runs of `runLength` records, a multiple of the tile, in pairs. A block writes
// one tile of the result: Batcher's bitonic merge of a piece of the left run and a reversed piece of the
// right run. It compares (key, place), where places of the left run come first: no two are equal, so the
// order is the stable one. GPU Gems 3 merges a pair of runs in one block; here merge path finds the pieces of
// each tile, so all multiprocessors work. log2(n / tile) levels of 2 n log2(tile) shared-memory accesses.
__global__ void __launch_bounds__(Tuning::threads)
    mergeRuns(Records input, MutableRecords output, std::uint32_t count, std::uint32_t runLength) {
  __shared__ std::uint64_t places[Tuning::tile];
  __shared__ std::uint32_t fromLeft[2];
  const std::uint32_t tileFirst = blockIdx.x * Tuning::tile;
  const std::uint32_t leftFirst = tileFirst / (2 * runLength) * (2 * runLength);
  const std::uint32_t rightFirst = min(leftFirst + runLength, count);
  const std::uint32_t leftCount = rightFirst - leftFirst;
  const std::uint32_t rightCount = min(rightFirst + runLength, count) - rightFirst;
  const std::uint32_t diagonals[2] = {tileFirst - leftFirst,
                                      min(tileFirst - leftFirst + Tuning::tile, leftCount + rightCount)};
  if (threadIdx.x < 2)
    fromLeft[threadIdx.x] = mergePath(input.keys + leftFirst, leftCount, input.keys + rightFirst, rightCount,
                                      threadIdx.x == 0 ? diagonals[0] : diagonals[1]);
  __syncthreads();

  const std::uint32_t tileCount = diagonals[1] - diagonals[0];
  const std::uint32_t left = fromLeft[1] - fromLeft[0];
  const std::uint32_t leftSource = leftFirst + fromLeft[0];
  const std::uint32_t rightSource = rightFirst + diagonals[0] - fromLeft[0];
  const auto source = [=](std::uint32_t place) {
    return place < left ? leftSource + place : rightSource + place - left;
  };
  for (std::uint32_t place = threadIdx.x; place < Tuning::tile; place += Tuning::threads) {
    const std::uint32_t slot = place < left ? place : Tuning::tile - 1 - (place - left);
    places[slot] =
        place < tileCount ? std::uint64_t{input.keys[source(place)]} << 32 | place : ~std::uint64_t{0};
  }
  __syncthreads();

  for (std::uint32_t stride = Tuning::tile / 2; stride > 0; stride /= 2) {
    for (std::uint32_t pair = threadIdx.x; pair < Tuning::tile / 2; pair += Tuning::threads) {
      const std::uint32_t lower = 2 * pair - (pair & (stride - 1));
      const std::uint64_t a = places[lower];
      const std::uint64_t b = places[lower + stride];
      places[lower] = min(a, b);
      places[lower + stride] = max(a, b);
    }
    __syncthreads();
  }

  for (std::uint32_t slot = threadIdx.x; slot < tileCount; slot += Tuning::threads) {
    output.keys[tileFirst + slot] = static_cast<std::uint32_t>(places[slot] >> 32);
    if (output.values != nullptr)
      output.values[tileFirst + slot] = input.values[source(static_cast<std::uint32_t>(places[slot]))];
  }
}

// The sort of GPU Gems 3, 39.3.3: sorts tiles by split, then merges runs in pairs until one run is left.
class MergeSorter : public Sorter {
 public:
  explicit MergeSorter(std::uint32_t count) : count_(count), scratch_(count) {}

 private:
  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    const std::uint32_t tiles = (count_ + Tuning::tile - 1) / Tuning::tile;
    MutableRecords to = output, next = scratch_.like(input);
    for (std::uint32_t run = Tuning::tile; run < count_; run *= 2) std::swap(to, next);

    const auto sortTilesOfRecords =
        input.values != nullptr ? sortTiles<std::uint64_t> : sortTiles<std::uint32_t>;
    sortTilesOfRecords<<<tiles, Tuning::threads, 0, stream>>>(input, to, count_);
    SATDOF_CUDA_LAUNCHED();
    for (std::uint32_t run = Tuning::tile; run < count_; run *= 2) {
      mergeRuns<<<tiles, Tuning::threads, 0, stream>>>(to, next, count_, run);
      SATDOF_CUDA_LAUNCHED();
      std::swap(to, next);
    }
  }

  std::uint32_t count_;
  ScratchRecords scratch_;
};

}  // namespace

std::unique_ptr<Sorter> makeMergeSorter(std::uint32_t count) { return std::make_unique<MergeSorter>(count); }

}  // namespace satdof::cuda
