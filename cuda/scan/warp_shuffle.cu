#include "cuda/scan/block_sums.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

namespace {

constexpr struct { int vectorsPerThread = 2; } kTuning;

// Tile scan in registers by warp shuffles; shared memory holds one sum per warp.
struct ShuffleTile {
  static constexpr unsigned kItems = 4 * kTuning.vectorsPerThread;
  static size_t sharedElements(unsigned threads) { return threads / kWarpSize; }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool inclusive, T* total) {
    WarpTile<T, kTuning.vectorsPerThread> tile;
    tile.load(in, count);
    const T sum = tile.scan(sharedMemory<T>(), inclusive);
    if (total != nullptr && threadIdx.x == 0) *total = sum;
    tile.store(out, count, T{0});
  }
};

template <class T>
using WarpShuffle = BlockSumScan<ShuffleTile, T>;

}  // namespace

std::unique_ptr<RowScan> makeWarpShuffle(const ScanOptions& options) { return makeForType<WarpShuffle>(options); }

}  // namespace satdof::cuda
