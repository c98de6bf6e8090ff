#pragma once
#include "cuda/block/warp.cuh"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

// Tile scan with eight elements per thread, in two vectors of four (GPU Gems 3, 39.2.5): each vector is
// scanned in registers, and the tree scans the sums of the vectors. kUnrolled: levels of the tree are
// unrolled at compile time, and levels within one warp use a warp barrier. kVectorLoads: a vector is one
// access of 16 bytes, else four of 4 bytes.
template <class Layout, bool kUnrolled, bool kVectorLoads>
struct VectorizedTile {
  static constexpr unsigned kItems = 8;
  static size_t sharedElements(unsigned threads) { return Layout::elements(2 * threads); }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool inclusive, T* total) {
    const unsigned threads = blockDim.x;
    const unsigned thread = threadIdx.x;
    T* const tree = sharedMemory<T>();
    auto a = load(in, 4 * thread, count);
    auto b = load(in, 4 * (thread + threads), count);
    scanVector(a);
    scanVector(b);
    T& sumA = tree[Layout::address(thread)];
    T& sumB = tree[Layout::address(thread + threads)];
    sumA = a.w;
    sumB = b.w;
    if constexpr (kUnrolled)
      scanUnrolled(tree, 2 * threads, total);
    else
      scanTree<Layout>(tree, 2 * threads, total);
    store(out, 4 * thread, count, offsetVector(a, sumA, inclusive));
    store(out, 4 * (thread + threads), count, offsetVector(b, sumB, inclusive));
  }

 private:
  template <class T>
  __device__ static typename Vector<T>::Type load(const T* in, unsigned index, unsigned count) {
    if constexpr (kVectorLoads) {
      return loadVector(in, index, count);
    } else {
      const auto at = [&](unsigned i) { return i < count ? in[i] : T{0}; };
      return {at(index), at(index + 1), at(index + 2), at(index + 3)};
    }
  }

  template <class T>
  __device__ static void store(T* out, unsigned index, unsigned count, typename Vector<T>::Type v) {
    if constexpr (kVectorLoads) {
      storeVector(out, index, count, v);
    } else {
      if (index + 0 < count) out[index + 0] = v.x;
      if (index + 1 < count) out[index + 1] = v.y;
      if (index + 2 < count) out[index + 2] = v.z;
      if (index + 3 < count) out[index + 3] = v.w;
    }
  }

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

  // The barrier before a step in which kNodes threads take part.
  template <unsigned kNodes>
  __device__ static void barrier() {
    if constexpr (kNodes > kWarpSize)
      __syncthreads();
    else if (threadIdx.x < kWarpSize)
      __syncwarp();
  }

  template <unsigned kNodes, unsigned kOffset, class T>
  __device__ static void scanLevels(T* tree, unsigned n, T* total) {
    if constexpr (kNodes == 0) {
      if (threadIdx.x == 0) clearRoot<Layout>(tree, n, total);
    } else {
      barrier<2 * kNodes>();
      if (threadIdx.x < kNodes) sweepUp<Layout>(tree, threadIdx.x, kOffset);
      scanLevels<kNodes / 2, 2 * kOffset>(tree, n, total);
      barrier<kNodes>();
      if (threadIdx.x < kNodes) sweepDown<Layout>(tree, threadIdx.x, kOffset);
    }
  }

  // Instantiated for every block size: n = 64 to 2048 sums, two per thread.
  template <unsigned kSums = 64, class T>
  __device__ static void scanUnrolled(T* tree, unsigned n, T* total) {
    if (n == kSums) {
      scanLevels<kSums / 2, 1>(tree, n, total);
      __syncthreads();
    } else if constexpr (kSums < 2048) {
      scanUnrolled<2 * kSums>(tree, n, total);
    }
  }
};

}  // namespace satdof::cuda
