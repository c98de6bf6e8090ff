#pragma once
#include "cuda/block/warp.cuh"
#include "cuda/scan/rows.cuh"

// A tile in registers, scanned by warp shuffles.
namespace satdof::cuda {

// A tile of blockDim.x * 4 * kVectors elements. Each warp holds a contiguous piece as kVectors rows of 32
// vectors of four elements, so that every access is coalesced, with 16 bytes per lane. Cost of scan():
// kVectors + 1 warp scans, one barrier.
template <class T, int kVectors>
class WarpTile {
 public:
  static constexpr unsigned kItems = 4 * kVectors;

  // Elements at `count` and above are 0.
  __device__ void load(const T* in, unsigned count) {
    if (count >= kItems * blockDim.x) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) vectors_[v] = *reinterpret_cast<const VectorType*>(in + index(v));
    } else {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) vectors_[v] = loadVector(in, index(v), count);
    }
  }

  // The sum of this thread's elements.
  __device__ T threadSum() const {
    T sum{0};
#pragma unroll
    for (int v = 0; v < kVectors; ++v) sum += vectorSum(v);
    return sum;
  }

  // Replaces every element by its scan within the tile. Returns the sum of the tile, in every thread.
  // `warpSums`: shared memory, one element per warp; can be reused after the next barrier of the block.
  __device__ T scan(T* warpSums, bool inclusive) {
    const unsigned lane = threadIdx.x % kWarpSize;
    const unsigned warp = threadIdx.x / kWarpSize;
    const unsigned warps = blockDim.x / kWarpSize;
    T before[kVectors];
    T warpSum{0};
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const T through = scanLanes(vectorSum(v));
      const T below = __shfl_up_sync(kAllLanes, through, 1);
      before[v] = warpSum + (lane > 0 ? below : T{0});
      warpSum += __shfl_sync(kAllLanes, through, kWarpSize - 1);
    }
    if (lane == 0) warpSums[warp] = warpSum;
    __syncthreads();
    const T throughWarp = scanLanes(lane < warps ? warpSums[lane] : T{0});
    const T below = __shfl_sync(kAllLanes, throughWarp, warp > 0 ? warp - 1 : 0);
    const T beforeWarp = warp > 0 ? below : T{0};
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const T x = beforeWarp + before[v];
      const T y = x + vectors_[v].x;
      const T z = y + vectors_[v].y;
      const T w = z + vectors_[v].z;
      vectors_[v] = inclusive ? VectorType{y, z, w, w + vectors_[v].w} : VectorType{x, y, z, w};
    }
    return __shfl_sync(kAllLanes, throughWarp, warps - 1);
  }

  // Writes the first `count` elements, each plus `carry`. kStreams: with the cache hint evict-first.
  template <bool kStreams = false>
  __device__ void store(T* out, unsigned count, T carry) const {
    const bool full = count >= kItems * blockDim.x;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const VectorType& scanned = vectors_[v];
      const VectorType result{carry + scanned.x, carry + scanned.y, carry + scanned.z, carry + scanned.w};
      VectorType* const target = reinterpret_cast<VectorType*>(out + index(v));
      if (full && kStreams)
        __stcs(target, result);
      else if (full)
        *target = result;
      else
        storeVector(out, index(v), count, result);
    }
  }

 private:
  using VectorType = typename Vector<T>::Type;

  __device__ static unsigned index(int v) {
    const unsigned lane = threadIdx.x % kWarpSize;
    const unsigned warp = threadIdx.x / kWarpSize;
    return ((warp * kVectors + static_cast<unsigned>(v)) * kWarpSize + lane) * 4;
  }
  __device__ T vectorSum(int v) const { return (vectors_[v].x + vectors_[v].y) + (vectors_[v].z + vectors_[v].w); }

  VectorType vectors_[kVectors];
};

}  // namespace satdof::cuda
