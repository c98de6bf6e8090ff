#pragma once
#include "cuda/runtime/ptx.cuh"
#include "cuda/runtime/surface.h"
#include "cuda/runtime/texels.h"

namespace satdof::cuda {

// An image in a kernel. Reads beyond the width or height give 0, writes there do nothing; x, y >= 0.
struct TexelView {
  cudaSurfaceObject_t surface = 0;
  uint4* rows = nullptr;  // null: the image is in the surface
  int width = 0, height = 0;

  TexelView(const TexelHandle& texels, int ofWidth, int ofHeight)
      : surface(texels.surface), rows(reinterpret_cast<uint4*>(texels.rows)), width(ofWidth), height(ofHeight) {}

  __device__ uint4 read(int x, int y) const {
    if (rows == nullptr) return surf2Dread<uint4>(surface, x * int{sizeof(uint4)}, y, cudaBoundaryModeZero);
    return holds(x, y) ? __ldcs(at(x, y)) : uint4{0, 0, 0, 0};
  }
  // Streaming store: texels are evicted first, so that a small input mostly stays in the L2 cache.
  __device__ void stream(int x, int y, uint4 texel) const {
    if (rows == nullptr)
      streamTexel(surface, x, y, texel);
    else if (holds(x, y))
      __stcs(at(x, y), texel);
  }

 private:
  __device__ bool holds(int x, int y) const { return x < width && y < height; }
  __device__ uint4* at(int x, int y) const { return rows + static_cast<ptrdiff_t>(y) * width + x; }
};

inline TexelHandle handleOf(const Texels& texels, SurfaceCache& surfaces) {
  return texels.array == nullptr ? TexelHandle(texels.rows) : TexelHandle(surfaces.get(texels.array));
}

}  // namespace satdof::cuda
