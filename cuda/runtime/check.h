#pragma once
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

// Throws std::runtime_error with file, line, call and CUDA's error text if a CUDA call fails.
#define SATDOF_CUDA(call) ::satdof::cuda::check((call), #call, __FILE__, __LINE__)

namespace satdof::cuda {

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                             cudaGetErrorString(error));
}

}  // namespace satdof::cuda
