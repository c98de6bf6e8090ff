#include "cuda/sat/planes.h"

#include <cuda_fp16.h>

#include <stdexcept>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/texels.cuh"
#include "cuda/sat/quantise.cuh"

namespace satdof::cuda {

namespace {

constexpr struct {
  unsigned tile = 32;  // side of a transposed tile, and width of every block
  unsigned rows = 8;   // height of every block
} kTuning;

dim3 pixelGrid(PlaneShape shape) {
  return {blocksFor(shape.width, kTuning.tile), blocksFor(shape.height, kTuning.rows)};
}

template <class T>
__device__ void storePlanes(T* planes, PlaneShape shape, unsigned x, unsigned y, T r, T g, T b, T a) {
  const size_t plane = shape.height * shape.pitch;
  T* const element = planes + y * shape.pitch + x;
  element[0] = r;
  element[plane] = g;
  element[2 * plane] = b;
  if (shape.planes == kPlanes) element[3 * plane] = a;
}

template <class T>
__global__ void deinterleaveHalf4(cudaSurfaceObject_t image, Quantisation quantisation, PlaneShape shape, T* planes) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= shape.width || y >= shape.height) return;
  const ushort4 texel = surf2Dread<ushort4>(image, static_cast<int>(x * sizeof(ushort4)), static_cast<int>(y));
  const auto element = [&](unsigned short bits, int channel) {
    return toElement<T>(__half2float(__ushort_as_half(bits)), channel, quantisation);
  };
  storePlanes(planes, shape, x, y, element(texel.x, 0), element(texel.y, 1), element(texel.z, 2), element(texel.w, 3));
}

__global__ void deinterleaveUint4(TexelView image, PlaneShape shape, unsigned* planes) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= shape.width || y >= shape.height) return;
  const uint4 texel = image.read(static_cast<int>(x), static_cast<int>(y));
  storePlanes(planes, shape, x, y, texel.x, texel.y, texel.z, texel.w);
}

// Transposes tiles in shared memory, one block per tile and plane. Rows of the tile are padded by one word,
// so that a column covers 32 banks.
__global__ void transposeTiles(const unsigned* in, PlaneShape shape, unsigned* out, PlaneShape to) {
  __shared__ unsigned tile[kTuning.tile][kTuning.tile + 1];
  const unsigned* const from = in + blockIdx.z * shape.height * shape.pitch;
  unsigned* const target = out + blockIdx.z * to.height * to.pitch;
  const unsigned left = blockIdx.x * kTuning.tile;
  const unsigned bottom = blockIdx.y * kTuning.tile;
#pragma unroll
  for (unsigned i = 0; i < kTuning.tile; i += kTuning.rows) {
    const unsigned x = left + threadIdx.x;
    const unsigned y = bottom + threadIdx.y + i;
    if (x < shape.width && y < shape.height) tile[threadIdx.y + i][threadIdx.x] = from[y * shape.pitch + x];
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < kTuning.tile; i += kTuning.rows) {
    const unsigned x = bottom + threadIdx.x;
    const unsigned y = left + threadIdx.y + i;
    if (x < to.width && y < to.height) target[y * to.pitch + x] = tile[threadIdx.x][threadIdx.y + i];
  }
}

__global__ void interleavePlanes(const unsigned* planes, PlaneShape shape, TexelView table) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= shape.width || y >= shape.height) return;
  const size_t plane = shape.height * shape.pitch;
  const unsigned* const element = planes + y * shape.pitch + x;
  const uint4 texel{element[0], element[plane], element[2 * plane], shape.planes == kPlanes ? element[3 * plane] : 0};
  table.stream(static_cast<int>(x), static_cast<int>(y), texel);
}

const dim3 kBlock(kTuning.tile, kTuning.rows);

TexelView viewOf(const TexelHandle& texels, PlaneShape shape) {
  return {texels, static_cast<int>(shape.width), static_cast<int>(shape.height)};
}

}  // namespace

void deinterleave(const TexelHandle& image, ImageFormat format, ElementType type, const Quantisation& quantisation,
                  PlaneShape shape, void* planes, CUstream_st* stream) {
  const dim3 grid = pixelGrid(shape);
  if (format == ImageFormat::uint4 && type != ElementType::uint32)
    throw std::runtime_error("cannot sum an image of integers into a float32 table: choose uint32");
  if (format == ImageFormat::uint4)
    launch(deinterleaveUint4, {grid, kBlock, 0, stream}, viewOf(image, shape), shape, static_cast<unsigned*>(planes));
  else if (type == ElementType::uint32)
    launch(deinterleaveHalf4<unsigned>, {grid, kBlock, 0, stream}, image.surface, quantisation, shape,
           static_cast<unsigned*>(planes));
  else
    launch(deinterleaveHalf4<float>, {grid, kBlock, 0, stream}, image.surface, quantisation, shape,
           static_cast<float*>(planes));
}

void transpose(const void* in, PlaneShape shape, void* out, CUstream_st* stream) {
  const dim3 grid(blocksFor(shape.width, kTuning.tile), blocksFor(shape.height, kTuning.tile), shape.planes);
  launch(transposeTiles, {grid, kBlock, 0, stream}, static_cast<const unsigned*>(in), shape,
         static_cast<unsigned*>(out), shape.transposed());
}

void interleave(const void* planes, PlaneShape shape, const TexelHandle& table, CUstream_st* stream) {
  launch(interleavePlanes, {pixelGrid(shape), kBlock, 0, stream}, static_cast<const unsigned*>(planes), shape,
         viewOf(table, shape));
}

}  // namespace satdof::cuda
