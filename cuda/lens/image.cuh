#pragma once
// Images in CUDA arrays, for kernels with one thread a pixel.
#include <cuda_fp16.h>

#include "cuda/runtime/texels.h"
#include "shaders/common/glsl.h"

namespace satdof::cuda {

// A table in device memory, or any image of four 32-bit channels. T: unsigned or float.
template <class T>
struct Table {
  using Element = glsl::Vector4<T>;
  const uint4* rows = nullptr;
  int width = 0;

  Table() = default;
  // `width`: texels of a row.
  Table(const Texel* texels, int ofWidth) : rows(reinterpret_cast<const uint4*>(texels)), width(ofWidth) {}
  __device__ uint4 at(glsl::ivec2 texel) const {
    return __ldg(rows + static_cast<ptrdiff_t>(texel.y) * width + texel.x);
  }
};
__device__ inline glsl::uvec4 texelFetch(const Table<unsigned>& table, glsl::ivec2 texel, int) {
  const uint4 sum = table.at(texel);
  return {sum.x, sum.y, sum.z, sum.w};
}
__device__ inline glsl::vec4 texelFetch(const Table<float>& table, glsl::ivec2 texel, int) {
  const uint4 sum = table.at(texel);
  return {__uint_as_float(sum.x), __uint_as_float(sum.y), __uint_as_float(sum.z), __uint_as_float(sum.w)};
}

// A block has 32x8 pixels and a warp 8x4, so that a warp accesses whole 32-byte sectors of a CUDA array, which are two
// rows high.
constexpr int kPixelThreads = 256;
struct PixelBlock {
  int width = 32, height = 8;
};
constexpr PixelBlock kPixelBlock;

// The blocks for an image.
inline dim3 pixelBlocks(int width, int height) {
  return dim3(static_cast<unsigned>((width + kPixelBlock.width - 1) / kPixelBlock.width),
              static_cast<unsigned>((height + kPixelBlock.height - 1) / kPixelBlock.height));
}
// The pixel of this thread; may be outside the image.
__device__ inline glsl::ivec2 pixelOfThread() {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  return {static_cast<int>(blockIdx.x) * kPixelBlock.width + warp % 4 * 8 + lane % 8,
          static_cast<int>(blockIdx.y) * kPixelBlock.height + warp / 4 * 4 + lane / 8};
}

__device__ inline glsl::vec4 fromHalves(ushort4 bits) {
  return {__half2float(__ushort_as_half(bits.x)), __half2float(__ushort_as_half(bits.y)),
          __half2float(__ushort_as_half(bits.z)), __half2float(__ushort_as_half(bits.w))};
}
__device__ inline ushort4 toHalves(const glsl::vec4& v) {
  return {__half_as_ushort(__float2half(v.x)), __half_as_ushort(__float2half(v.y)), __half_as_ushort(__float2half(v.z)),
          __half_as_ushort(__float2half(v.w))};
}

// Accesses to arrays of RGBA16F.
__device__ inline glsl::vec4 colourAt(cudaSurfaceObject_t image, glsl::ivec2 pixel) {
  return fromHalves(surf2Dread<ushort4>(image, pixel.x * int{sizeof(ushort4)}, pixel.y));
}
__device__ inline void setColour(cudaSurfaceObject_t image, glsl::ivec2 pixel, const glsl::vec4& colour) {
  surf2Dwrite(toHalves(colour), image, pixel.x * int{sizeof(ushort4)}, pixel.y);
}
// Accesses to arrays of R32F.
__device__ inline float valueAt(cudaSurfaceObject_t image, glsl::ivec2 pixel) {
  return surf2Dread<float>(image, pixel.x * int{sizeof(float)}, pixel.y);
}
__device__ inline void setValue(cudaSurfaceObject_t image, glsl::ivec2 pixel, float value) {
  surf2Dwrite(value, image, pixel.x * int{sizeof(float)}, pixel.y);
}

}  // namespace satdof::cuda
