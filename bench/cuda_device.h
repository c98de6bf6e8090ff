#pragma once
#include <cuda_runtime_api.h>

#include <functional>

#include "bench/bench.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sat/table_builder.h"

namespace satdof::bench {

enum class Input { warm, cold };
inline const char* nameOf(Input input) { return input == Input::warm ? "warm" : "cold"; }

using Work = std::function<void(cudaStream_t)>;

// Time of one call of `work` by CUDA events. Warm: many calls in a row, replayed as one graph if `work` can
// be captured. Cold: one call after writes have flushed the L2 cache.
Measurement timeOnDevice(const Work& work, Input input, bool capture = true);

// An image of random half floats in [0, 1) and arrays for its tables. One for each size.
struct DeviceFrame {
  explicit DeviceFrame(Size extent);
  DeviceFrame(const DeviceFrame&) = delete;
  ~DeviceFrame();
  Size size;
  cudaArray_t image = nullptr;
  cudaArray_t table = nullptr;
  cudaArray_t transposedTable = nullptr;
  cuda::DeviceArray<cuda::Texel> rows;  // a table in device memory
};
DeviceFrame& deviceFrame(Size size);

// The least measured time of a kernel that reads 8 bytes a pixel (the image) and writes 16 (the table).
double tableLimitUs(Size size, Input input);
// The same with a table in device memory.
double memoryTableLimitUs(Size size, Input input);
// The least measured time to read and write `bytes` of linear memory: the faster of a kernel and
// cudaMemcpyAsync.
double copyLimitUs(size_t bytes, Input input);

// cuda_limits.cu
inline constexpr int kCopyShapes = 6;
void fillImage(cudaArray_t image, Size size);
// Depth 1 in every pixel.
void fillDepth(cudaArray_t depth, Size size);
// `image` and `table` must belong to a DeviceFrame, which is never freed.
void enqueueTableCopy(int shape, cudaArray_t image, cudaArray_t table, Size size, cudaStream_t stream);
// The same with a table in device memory.
inline constexpr int kMemoryCopyShapes = 2;
void enqueueMemoryCopy(int shape, cudaArray_t image, cuda::Texel* table, Size size, cudaStream_t stream);
// Random integers below 256, as integers or floats.
void fillElements(unsigned* elements, bool asFloats, size_t count);
void enqueueCopy(const void* in, void* out, size_t bytes, cudaStream_t stream);

void addDeviceBandwidth();
void addDeviceCompactions();
void addDeviceGravity();
void addDeviceScans();
void addDeviceSorts();
void addDeviceTables();
void addDeviceLenses();
void addNppTables();

}  // namespace satdof::bench
