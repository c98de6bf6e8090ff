#include "cuda/check.h"
#include "cuda/device.h"

namespace satdof::cuda {

namespace {

Device find() {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0)
    return {false, "", std::string("no CUDA device (") + cudaGetErrorString(error) + ")"};
  cudaDeviceProp properties;
  SATDOF_CUDA(cudaGetDeviceProperties(&properties, 0));
  return {true, properties.name, ""};
}

}  // namespace

const Device& device() {
  static const Device found = find();
  return found;
}

}  // namespace satdof::cuda
