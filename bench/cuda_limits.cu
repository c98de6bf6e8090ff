#include <surface_indirect_functions.h>

#include "bench/cuda_device.h"
#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/surface.h"

namespace satdof::bench {

namespace {

using cuda::blocksFor, cuda::launch;

// Surface objects of arrays that are never freed.
cudaSurfaceObject_t surfaceOf(cudaArray_t array) {
  static cuda::SurfaceCache surfaces;
  return surfaces.get(array);
}

__device__ unsigned hash(unsigned value) {
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

// The bits of two half floats in [0, 1).
__device__ unsigned randomHalves(unsigned seed) {
  const unsigned bits = hash(seed);
  return bits % 0x3c00 | (bits >> 16) % 0x3c00 << 16;
}

__global__ void fillHalves(cudaSurfaceObject_t image, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const unsigned pixel = y * width + x;
  surf2Dwrite(uint2{randomHalves(2 * pixel), randomHalves(2 * pixel + 1)}, image, x * 8, y, cudaBoundaryModeZero);
}

__global__ void fillOnes(cudaSurfaceObject_t depth) {
  surf2Dwrite(1.0f, depth, (blockIdx.x * blockDim.x + threadIdx.x) * 4, blockIdx.y, cudaBoundaryModeZero);
}

__global__ void fillIntegers(unsigned* elements, bool asFloats, size_t count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned value = hash(static_cast<unsigned>(i)) % 256;
  elements[i] = asFloats ? __float_as_uint(static_cast<float>(value)) : value;
}

// Reads an image and writes a table of the same size. A warp accesses kLanes x (32 / kLanes) texels at once,
// lane by lane in rows, or in squares of 2 x 2. A thread copies kSteps texels, 32 / kLanes rows apart.
template <int kLanes, bool kSquares, int kSteps>
__global__ void __launch_bounds__(256) copyToTable(cudaSurfaceObject_t image, cudaSurfaceObject_t table) {
  constexpr int kRowsOfWarp = 32 / kLanes;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int square = lane / 4;
  const int column = kSquares ? square % (kLanes / 2) * 2 + lane % 2 : lane % kLanes;
  const int row = kSquares ? square / (kLanes / 2) * 2 + lane / 2 % 2 : lane / kLanes;
  const int x = blockIdx.x * kLanes + column;
  const int y = (blockIdx.y * 8 + warp) * kRowsOfWarp * kSteps + row;
  uint2 pixels[kSteps];
#pragma unroll
  for (int step = 0; step < kSteps; ++step)
    pixels[step] = surf2Dread<uint2>(image, x * 8, y + step * kRowsOfWarp, cudaBoundaryModeZero);
#pragma unroll
  for (int step = 0; step < kSteps; ++step)
    surf2Dwrite(uint4{pixels[step].x, pixels[step].y, pixels[step].y, pixels[step].x}, table, x * 16,
                y + step * kRowsOfWarp, cudaBoundaryModeZero);
}

template <int kLanes, bool kSquares, int kSteps>
void enqueueShape(cudaArray_t image, cudaArray_t table, Size size, cudaStream_t stream) {
  const dim3 blocks(blocksFor(size.width, kLanes), blocksFor(size.height, 32 / kLanes * 8 * kSteps));
  launch(copyToTable<kLanes, kSquares, kSteps>, {blocks, 256, 0, stream}, surfaceOf(image), surfaceOf(table));
}

// The same with the table in device memory. A warp accesses 16 x 2 texels at once: whole sectors of the
// image.
template <int kSteps>
__global__ void __launch_bounds__(256) copyToMemory(cudaSurfaceObject_t image, uint4* table, int width, int height) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int x = static_cast<int>(blockIdx.x) * 32 + warp % 2 * 16 + lane % 16;
  const int firstRow = static_cast<int>(blockIdx.y) * 8 * kSteps + warp / 2 * 2 + lane / 16;
  uint2 texels[kSteps];
#pragma unroll
  for (int i = 0; i < kSteps; ++i)
    texels[i] = surf2Dread<uint2>(image, x * int{sizeof(uint2)}, firstRow + i * 8, cudaBoundaryModeZero);
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    const int y = firstRow + i * 8;
    if (x < width && y < height)
      __stcs(table + static_cast<size_t>(y) * static_cast<size_t>(width) + x,
             uint4{texels[i].x, texels[i].y, texels[i].x, texels[i].y});
  }
}

__global__ void __launch_bounds__(256) copyVectors(const uint4* in, uint4* out, size_t count) {
  constexpr int kVectors = 4;
  const size_t first = size_t{blockIdx.x} * blockDim.x * kVectors + threadIdx.x;
  uint4 vectors[kVectors];
#pragma unroll
  for (int i = 0; i < kVectors; ++i)
    if (first + i * blockDim.x < count) vectors[i] = in[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < kVectors; ++i)
    if (first + i * blockDim.x < count) out[first + i * blockDim.x] = vectors[i];
}

}  // namespace

void enqueueMemoryCopy(int shape, cudaArray_t image, cuda::Texel* table, Size size, cudaStream_t stream) {
  const auto enqueue = [&]<int kSteps>() {
    const dim3 blocks(blocksFor(size.width, 32), blocksFor(size.height, 8 * kSteps));
    launch(copyToMemory<kSteps>, {blocks, 256, 0, stream}, surfaceOf(image), reinterpret_cast<uint4*>(table),
           size.width, size.height);
  };
  if (shape == 0)
    enqueue.operator()<1>();
  else
    enqueue.operator()<4>();
}

void fillImage(cudaArray_t image, Size size) {
  const cuda::Surface surface(image);
  launch(fillHalves, {dim3(blocksFor(size.width, 256), size.height), 256}, surface.object(), size.width);
  SATDOF_CUDA(cudaDeviceSynchronize());
}

void fillDepth(cudaArray_t depth, Size size) {
  const cuda::Surface surface(depth);
  launch(fillOnes, {dim3(blocksFor(size.width, 256), size.height), 256}, surface.object());
  SATDOF_CUDA(cudaDeviceSynchronize());
}

void fillElements(unsigned* elements, bool asFloats, size_t count) {
  launch(fillIntegers, {blocksFor(count, 256), 256}, elements, asFloats, count);
  SATDOF_CUDA(cudaDeviceSynchronize());
}

void enqueueTableCopy(int shape, cudaArray_t image, cudaArray_t table, Size size, cudaStream_t stream) {
  using Enqueue = void (*)(cudaArray_t, cudaArray_t, Size, cudaStream_t);
  constexpr Enqueue kShapes[kCopyShapes] = {enqueueShape<32, false, 4>, enqueueShape<16, false, 4>,
                                            enqueueShape<8, false, 4>,  enqueueShape<16, true, 4>,
                                            enqueueShape<8, true, 4>,   enqueueShape<4, true, 4>};
  kShapes[shape](image, table, size, stream);
}

void enqueueCopy(const void* in, void* out, size_t bytes, cudaStream_t stream) {
  const size_t vectors = bytes / sizeof(uint4);
  launch(copyVectors, {blocksFor(vectors, 1024), 256, 0, stream}, static_cast<const uint4*>(in),
         static_cast<uint4*>(out), vectors);
}

}  // namespace satdof::bench
