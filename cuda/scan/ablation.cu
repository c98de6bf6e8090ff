#include "cuda/scan/ablation.h"

#include "cuda/scan/factories.h"
#include "cuda/scan/vectorized_tile.cuh"

namespace satdof::cuda {

namespace {

template <class Layout, bool kUnrolled, bool kVectorLoads>
struct Ablated {
  template <class T>
  using Scan = BlockSumScan<VectorizedTile<Layout, kUnrolled, kVectorLoads>, T>;
  static std::unique_ptr<RowScan> make(const ScanOptions& options) { return makeForType<Scan>(options); }
};

constexpr ScanAblation kAblations[] = {
    {"all", "padding, unrolled, vector loads", Ablated<ConflictFree, true, true>::make},
    {"no-padding", "bank conflicts in the tree", Ablated<Adjacent, true, true>::make},
    {"no-unrolling", "loops over levels, a block barrier each", Ablated<ConflictFree, false, true>::make},
    {"no-vector-loads", "four accesses of 4 bytes", Ablated<ConflictFree, true, false>::make},
    {"none", "none of the three", Ablated<Adjacent, false, false>::make},
};

}  // namespace

std::span<const ScanAblation> scanAblations() { return kAblations; }

}  // namespace satdof::cuda
