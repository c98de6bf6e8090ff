#pragma once
#include <cuda_runtime_api.h>

#include <functional>

#include "bench/bench.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sat/table_builder.h"

namespace satdof::bench {

enum class Input { warm, cold };
inline const char* nameOf(Input input) { return input == Input::warm ? "warm" : "cold"; }
inline const char* nameOf(cuda::ElementType type) { return type == cuda::ElementType::uint32 ? "uint32" : "float32"; }

using Work = std::function<void(cudaStream_t)>;

// Times one call of `work` by CUDA events. Warm: up to 64 calls in a row, replayed as one graph if `capture`.
// Cold: one call, after a write of four times the size of the L2 cache.
Measurement timeOnDevice(const Work& work, Input input, bool capture = true);

// An RGBA16F image of random values in [0, 1), and memory for its tables.
struct DeviceFrame {
  explicit DeviceFrame(Size extent);
  Size size;
  cuda::Array image, table, transposedTable;
  cuda::DeviceArray<cuda::Texel> rows;  // a table in device memory
};
// The frame of this size. Created by the first call, never freed.
DeviceFrame& deviceFrame(Size size);

// A lower limit for the time to build a table: the fastest of several kernels that read 8 bytes per pixel
// (the image) and write 16 (the table), measured in this run.
double tableLimitUs(Size size, Input input);
// The same for a table in device memory.
double memoryTableLimitUs(Size size, Input input);
// The time to copy `bytes` of device memory, measured in this run: the faster of a kernel and
// cudaMemcpyAsync.
double copyLimitUs(std::size_t bytes, Input input);

// cuda_limits.cu
inline constexpr int kCopyShapes = 6;
void fillImage(cudaArray_t image, Size size);
// Depth 1 in every pixel.
void fillDepth(cudaArray_t depth, Size size);
// One of the kernels of tableLimitUs(). `image` and `table` must belong to a DeviceFrame.
void enqueueTableCopy(int shape, cudaArray_t image, cudaArray_t table, Size size, cudaStream_t stream);
// One of the kernels of memoryTableLimitUs().
inline constexpr int kMemoryCopyShapes = 2;
void enqueueMemoryCopy(int shape, cudaArray_t image, cuda::Texel* table, Size size, cudaStream_t stream);
// Random integers below 256, as integers or as floats.
void fillElements(unsigned* elements, bool asFloats, std::size_t count);
void enqueueCopy(const void* in, void* out, std::size_t bytes, cudaStream_t stream);

void addDeviceBandwidth();
void addDeviceCompactions();
void addDeviceGravity();
void addDeviceScans();
void addDeviceSorts();
void addDeviceTables();
void addDeviceLenses();
void addNppTables();

}  // namespace satdof::bench
