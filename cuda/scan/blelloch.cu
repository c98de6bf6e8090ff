#include "cuda/scan/factories.h"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

namespace {

// Neighbouring elements without padding, as in listing 39-2: strides of 2^k put 2^k threads on one bank.
struct Adjacent {
  __device__ static unsigned first(unsigned thread) { return 2 * thread; }
  __device__ static unsigned second(unsigned thread) { return 2 * thread + 1; }
  __device__ static unsigned address(unsigned i) { return i; }
  static size_t elements(size_t n) { return n; }
};

template <class T>
using Blelloch = BlockSumScan<TreeTile<Adjacent>, T>;

}  // namespace

std::unique_ptr<RowScan> makeBlelloch(const ScanOptions& options) { return makeForType<Blelloch>(options); }

}  // namespace satdof::cuda
