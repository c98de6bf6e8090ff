#include <cuda_runtime.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"

namespace satdof::cuda {

namespace {

__global__ void probe() {}

Device find() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0)
    return {false, "", std::string("no CUDA device (") + cudaGetErrorString(error) + ")"};
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

}  // namespace

const Device& device() {
  static const Device found = find();
  return found;
}

}  // namespace satdof::cuda
