#include <string>

#include "cuda/compact/factories.h"
#include "cuda/runtime/check.h"

namespace satdof::cuda {

namespace {

class EmptyCompactor : public Compactor {
 public:
  void run(const std::uint32_t*, std::uint32_t*, std::uint32_t* kept, CUstream_st* stream) override {
    SATDOF_CUDA(cudaMemsetAsync(kept, 0, sizeof(*kept), stream));
  }
};

}  // namespace

std::unique_ptr<Compactor> makeCompactor(Compaction compaction, std::uint32_t count) {
  if (count > 1u << 30)
    throw std::runtime_error("cannot compact " + std::to_string(count) +
                             " elements at once: choose at most 1073741824");
  if (count == 0) return std::make_unique<EmptyCompactor>();
  switch (compaction) {
    case Compaction::scanScatter:
      return makeScanScatterCompactor(count);
    case Compaction::sequential:
      return makeSequentialCompactor(count);
    case Compaction::cub:
      return makeCubCompactor(count);
  }
  throw std::runtime_error("unknown compaction " + std::to_string(static_cast<int>(compaction)));
}

}  // namespace satdof::cuda
