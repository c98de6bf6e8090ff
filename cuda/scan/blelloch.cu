#include "cuda/scan/factories.h"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

namespace {

template <class T>
using Blelloch = BlockSumScan<TreeTile<Adjacent>, T>;

}  // namespace

std::unique_ptr<RowScan> makeBlelloch(const ScanOptions& options) { return makeForType<Blelloch>(options); }

}  // namespace satdof::cuda
