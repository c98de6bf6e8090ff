#include <cuda_runtime.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/nvidia_gpu.h"

namespace satdof::cuda {

namespace {

// Its attributes tell whether this program contains code for the device.
__global__ void probe() {}

Device findDevice() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    int driver = 0;  // 0: no driver
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
            std::string("no code for the ") + properties.name + " in this program (" + cudaGetErrorString(error) +
                "): build with its CMAKE_CUDA_ARCHITECTURES"};
  return {true,
          properties.name,
          "",
          static_cast<unsigned>(properties.multiProcessorCount),
          properties.sharedMemPerBlockOptin,
          properties.sharedMemPerMultiprocessor};
}

Device& theDevice() {
  static Device found = findDevice();
  return found;
}

}  // namespace

const Device& device() { return theDevice(); }

bool lost() {
  Device& device = theDevice();
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
