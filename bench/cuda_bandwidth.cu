#include "bench/cuda_device.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"

// Memory bandwidth for accesses of 32, 64 and 128 bits per thread, as in Billeter et al. 2009.
namespace satdof::bench {

namespace {

using cuda::launch;

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 132 * 16;  // 16 per multiprocessor of an H100

__device__ unsigned sumOf(unsigned v) { return v; }
__device__ unsigned sumOf(uint2 v) { return v.x + v.y; }
__device__ unsigned sumOf(uint4 v) { return v.x + v.y + v.z + v.w; }

template <class Access>
__global__ void __launch_bounds__(kThreads) readAll(const Access* in, std::size_t count, unsigned* out) {
  unsigned sum = 0;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * kThreads)
    sum += sumOf(in[i]);
  if (sum == 1) *out = sum;  // keeps the loads; never true, since the input is 0
}

template <class Access>
__global__ void __launch_bounds__(kThreads) copyAll(const Access* in, std::size_t count, Access* out) {
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * kThreads)
    out[i] = in[i];
}

template <class Access>
Result measure(std::size_t bytes, bool writes) {
  const std::size_t count = bytes / sizeof(Access);
  const cuda::DeviceArray<Access> in(count), out(writes ? count : 1);
  SATDOF_CUDA(cudaMemset(in.data(), 0, in.bytes()));
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        if (writes)
          launch(copyAll<Access>, {kBlocks, kThreads, 0, stream}, in.data(), count, out.data());
        else
          launch(readAll<Access>, {kBlocks, kThreads, 0, stream}, in.data(), count,
                 reinterpret_cast<unsigned*>(out.data()));
      },
      Input::cold);
  return {time, static_cast<double>(writes ? 2 * bytes : bytes)};
}

template <class Access>
void addRows() {
  for (const std::size_t bytes : {std::size_t{1} << 24, std::size_t{1} << 27, std::size_t{1} << 30})
    for (const bool writes : {false, true})
      addRow(path({"bandwidth", writes ? "copy" : "read", std::to_string(8 * sizeof(Access)) + "-bit",
                   std::to_string(bytes), "cold"}),
             [=] { return measure<Access>(bytes, writes); });
}

}  // namespace

void addDeviceBandwidth() {
  addRows<unsigned>();
  addRows<uint2>();
  addRows<uint4>();
}

}  // namespace satdof::bench
