#include "cuda/scan/block_sums.cuh"
#include "cuda/scan/factories.h"

namespace satdof::cuda {

namespace {

// Step k = 1, 2, ...: x_k[i] = x_(k-1)[i] + x_(k-1)[i - 2^(k-1)] (Hillis and Steele 1986; GPU Gems 3,
// 39.2.1), with double buffering in shared memory. Cost for a tile of n elements: n log2 n - (n - 1)
// additions, log2 n + 1 barriers.
struct HillisSteeleTile {
  static constexpr unsigned kItems = 1;
  static size_t sharedElements(unsigned threads) { return 2 * threads; }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool inclusive, T* total) {
    const unsigned n = blockDim.x;
    const unsigned i = threadIdx.x;
    T* buffer = sharedMemory<T>();
    T* other = buffer + n;
    T value = i < count ? in[i] : T{0};
    buffer[i] = value;
    for (unsigned offset = 1; offset < n; offset *= 2) {
      __syncthreads();
      if (i >= offset) value += buffer[i - offset];
      other[i] = value;
      T* const written = other;
      other = buffer;
      buffer = written;
    }
    __syncthreads();
    if (i < count) out[i] = inclusive ? value : i > 0 ? buffer[i - 1] : T{0};
    if (total != nullptr && i == n - 1) *total = value;
  }
};

template <class T>
using HillisSteele = BlockSumScan<HillisSteeleTile, T>;

}  // namespace

std::unique_ptr<RowScan> makeHillisSteele(const ScanOptions& options) { return makeForType<HillisSteele>(options); }

}  // namespace satdof::cuda
