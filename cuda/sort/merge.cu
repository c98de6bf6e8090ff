#include "cuda/runtime/launch.cuh"
#include "cuda/sort/factories.h"
#include "cuda/sort/merge_sorter.cuh"

namespace satdof::cuda {

namespace {

// Merge path (Green, McColl, Bader 2012, section 3): the number of keys from `a` among the first `diagonal`
// keys of the stable merge of the ascending arrays `a` and `b`. Binary search: log2(min(aCount, bCount))
// steps.
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

// Merges neighbouring ascending runs of `runLength` records, a multiple of the tile size, in pairs. A block
// writes one tile of the result. Merge path finds the piece of the left run and the piece of the right run
// that form the tile. Batcher's bitonic merge (1968) then merges the left piece and the reversed right piece
// in shared memory. It compares (key, place), where places of the left run come first: all are different, and
// equal keys keep their order. GPU Gems 3 merges a pair of runs in one block; here all multiprocessors take
// part. Cost of the log2(n / tile) levels: 2 n log2(tile) shared-memory accesses each, n reads and n writes
// of records.
__global__ void __launch_bounds__(TileSort::threads)
    mergeRuns(Records input, MutableRecords output, std::uint32_t count, std::uint32_t runLength) {
  __shared__ std::uint64_t places[TileSort::tile];
  __shared__ std::uint32_t fromLeft[2];
  const std::uint32_t tileFirst = blockIdx.x * TileSort::tile;
  const std::uint32_t leftFirst = tileFirst / (2 * runLength) * (2 * runLength);
  const std::uint32_t rightFirst = min(leftFirst + runLength, count);
  const std::uint32_t leftCount = rightFirst - leftFirst;
  const std::uint32_t rightCount = min(rightFirst + runLength, count) - rightFirst;
  const std::uint32_t diagonals[2] = {tileFirst - leftFirst,
                                      min(tileFirst - leftFirst + TileSort::tile, leftCount + rightCount)};
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
  for (std::uint32_t place = threadIdx.x; place < TileSort::tile; place += TileSort::threads) {
    const std::uint32_t slot = place < left ? place : TileSort::tile - 1 - (place - left);
    places[slot] = place < tileCount ? std::uint64_t{input.keys[source(place)]} << 32 | place : ~std::uint64_t{0};
  }
  __syncthreads();

  for (std::uint32_t stride = TileSort::tile / 2; stride > 0; stride /= 2) {
    for (std::uint32_t pair = threadIdx.x; pair < TileSort::tile / 2; pair += TileSort::threads) {
      const std::uint32_t lower = 2 * pair - (pair & (stride - 1));
      const std::uint64_t a = places[lower];
      const std::uint64_t b = places[lower + stride];
      places[lower] = min(a, b);
      places[lower + stride] = max(a, b);
    }
    __syncthreads();
  }

  for (std::uint32_t slot = threadIdx.x; slot < tileCount; slot += TileSort::threads) {
    output.keys[tileFirst + slot] = static_cast<std::uint32_t>(places[slot] >> 32);
    if (output.values != nullptr)
      output.values[tileFirst + slot] = input.values[source(static_cast<std::uint32_t>(places[slot]))];
  }
}

struct MergeByAllBlocks {
  static constexpr bool kStopsWhenSorted = false;
  static void enqueue(Records input, MutableRecords output, std::uint32_t count, std::uint32_t runLength,
                      CUstream_st* stream) {
    launch(mergeRuns, {tileCount(count), TileSort::threads, 0, stream}, input, output, count, runLength);
  }
};

}  // namespace

std::unique_ptr<Sorter> makeMergeSorter(std::uint32_t count) {
  return std::make_unique<MergeSorter<MergeByAllBlocks>>(count);
}

}  // namespace satdof::cuda
