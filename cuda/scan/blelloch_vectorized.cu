#include "cuda/scan/factories.h"
#include "cuda/scan/vectorized_tile.cuh"

namespace satdof::cuda {

namespace {

template <class T>
using BlellochVectorized = BlockSumScan<VectorizedTile<ConflictFree, true, true>, T>;

}  // namespace

std::unique_ptr<RowScan> makeBlellochVectorized(const ScanOptions& options) {
  return makeForType<BlellochVectorized>(options);
}

}  // namespace satdof::cuda
