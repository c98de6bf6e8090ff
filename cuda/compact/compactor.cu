#include <string>

#include "cuda/compact/factories.h"
#include "cuda/compact/source.cuh"
#include "cuda/runtime/check.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

namespace {

// For no elements.
class EmptyCompactor : public CompactorOf<EmptyCompactor> {
 public:
  template <class Source>
  void enqueue(const std::uint32_t*, Source, typename Source::Element*, std::uint32_t* kept,
               CUstream_st* stream) const {
    SATDOF_CUDA(cudaMemsetAsync(kept, 0, sizeof(*kept), stream));
  }
};

}  // namespace

std::unique_ptr<Compactor> makeCompactor(Compaction compaction, std::uint32_t count, Scan scan) {
  if (count > 1u << 30)
    throw std::runtime_error("cannot compact " + std::to_string(count) +
                             " elements at once: choose at most 1073741824");
  if (count == 0) return std::make_unique<EmptyCompactor>();
  switch (compaction) {
    case Compaction::scanScatter:
      return makeScanScatterCompactor(count, rowScanOf(scan));
    case Compaction::sequential:
      return makeSequentialCompactor(count);
    case Compaction::decoupledLookback:
      return makeDecoupledLookbackCompactor(count);
    case Compaction::cub:
      return makeCubCompactor(count);
  }
  throw std::runtime_error("unknown compaction " + std::to_string(static_cast<int>(compaction)));
}

}  // namespace satdof::cuda
