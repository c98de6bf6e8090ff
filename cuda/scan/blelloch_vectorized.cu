#include "cuda/scan/factories.h"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kWarp = 32;

// Eight elements a thread in two vectors, each summed in registers; the tree runs over the sums of the
// vectors (39.2.5). It is unrolled; levels that fit one warp need no block barrier.
struct VectorizedTile {
  static constexpr unsigned kItems = 8;
  static size_t sharedElements(unsigned threads) { return ConflictFree::elements(2 * threads); }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool inclusive, T* total) {
    const unsigned threads = blockDim.x;
    const unsigned thread = threadIdx.x;
    T* const tree = sharedMemory<T>();
    auto a = loadVector(in, 4 * thread, count);
    auto b = loadVector(in, 4 * (thread + threads), count);
    scanVector(a);
    scanVector(b);
    T& sumA = tree[ConflictFree::address(thread)];
    T& sumB = tree[ConflictFree::address(thread + threads)];
    sumA = a.w;
    sumB = b.w;
    scanTree(tree, 2 * threads, total);
    storeVector(out, 4 * thread, count, offsetVector(a, sumA, inclusive));
    storeVector(out, 4 * (thread + threads), count, offsetVector(b, sumB, inclusive));
  }

 private:
  template <class V>
  __device__ static void scanVector(V& v) {
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
  }

  template <class V, class T>
  __device__ static V offsetVector(const V& v, T sum, bool inclusive) {
    if (inclusive) return {sum + v.x, sum + v.y, sum + v.z, sum + v.w};
    return {sum, sum + v.x, sum + v.y, sum + v.z};
  }

  // Barrier before a step of kNodes threads.
  template <unsigned kNodes>
  __device__ static void barrier() {
    if constexpr (kNodes > kWarp)
      __syncthreads();
    else if (threadIdx.x < kWarp)
      __syncwarp();
  }

  template <unsigned kNodes, unsigned kOffset, class T>
  __device__ static void scanLevels(T* tree, unsigned n, T* total) {
    if constexpr (kNodes == 0) {
      if (threadIdx.x == 0) clearRoot<ConflictFree>(tree, n, total);
    } else {
      barrier<2 * kNodes>();
      if (threadIdx.x < kNodes) sweepUp<ConflictFree>(tree, threadIdx.x, kOffset);
      scanLevels<kNodes / 2, 2 * kOffset>(tree, n, total);
      barrier<kNodes>();
      if (threadIdx.x < kNodes) sweepDown<ConflictFree>(tree, threadIdx.x, kOffset);
    }
  }

  // Unrolled for every number of sums of a block: two a thread.
  template <unsigned kSums = 64, class T>
  __device__ static void scanTree(T* tree, unsigned n, T* total) {
    if (n == kSums) {
      scanLevels<kSums / 2, 1>(tree, n, total);
      __syncthreads();
    } else if constexpr (kSums < 2048) {
      scanTree<2 * kSums>(tree, n, total);
    }
  }
};

template <class T>
using BlellochVectorized = BlockSumScan<VectorizedTile, T>;

}  // namespace

std::unique_ptr<RowScan> makeBlellochVectorized(const ScanOptions& options) {
  return makeForType<BlellochVectorized>(options);
}

}  // namespace satdof::cuda
