#include "cuda/scan/factories.h"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

namespace {

// A thread takes two elements half a tile apart: loads and stores are coalesced, and lanes access different
// banks (39.2.3).
struct HalfTileApart : ConflictFree {
  __device__ static unsigned first(unsigned thread) { return thread; }
  __device__ static unsigned second(unsigned thread) { return thread + blockDim.x; }
};

template <class T>
using BlellochPadded = BlockSumScan<TreeTile<HalfTileApart>, T>;

}  // namespace

std::unique_ptr<RowScan> makeBlellochPadded(const ScanOptions& options) { return makeForType<BlellochPadded>(options); }

}  // namespace satdof::cuda
