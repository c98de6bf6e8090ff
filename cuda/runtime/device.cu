#include <cuda_runtime.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/nvidia_gpu.h"

namespace satdof::cuda {

namespace {

__global__ void probe() {}

Device find() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    int driver = 0;  // 0: none is installed
    (void)cudaDriverGetVersion(&driver);
    const bool tooOld = error == cudaErrorInsufficientDriver && driver > 0;
    return {false, "", noDeviceReason(tooOld || showsNvidiaGpu("/"), cudaGetErrorString(error))};
  }
  cudaDeviceProp properties;
  SATDOF_CUDA(cudaGetDeviceProperties(&properties, 0));
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, probe);
  if (error == cudaErrorMemoryAllocation || error == cudaErrorDevicesUnavailable)
    return {false, properties.name,
            std::string("the memory of the ") + properties.name + " is in use: close other programs"};
  if (error != cudaSuccess)
    return {false, properties.name,
            std::string("built for other CUDA devices than the ") + properties.name + " (" +
                cudaGetErrorString(error) + "): set CMAKE_CUDA_ARCHITECTURES"};
  return {true,
          properties.name,
          "",
          static_cast<unsigned>(properties.multiProcessorCount),
          properties.sharedMemPerBlockOptin,
          properties.sharedMemPerMultiprocessor};
}

Device& known() {
  static Device found = find();
  return found;
}

}  // namespace

const Device& device() { return known(); }

bool lost() {
  Device& device = known();
  if (!device.available) return false;
  (void)cudaGetLastError();
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return false;
  device.available = false;
  device.reason = std::string("CUDA failed on the ") + device.name + " (" + cudaGetErrorString(error) +
                  "): start satdof again to use it";
  return true;
}

}  // namespace satdof::cuda
