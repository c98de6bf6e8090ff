#pragma once
#include <cstddef>
#include <string>

namespace satdof::cuda {

// Shared memory that CUDA reserves in each block.
inline constexpr size_t kSystemSharedBytes = 1024;

// The CUDA device that all work runs on.
struct Device {
  bool available = false;
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string reason;  // if not available: why, one sentence
  unsigned multiprocessors = 0;
  size_t sharedBytesOfBlock = 0;  // the most that a block may request
  size_t sharedBytesOfMultiprocessor = 0;
};

// The first CUDA device. Queried once.
const Device& device();

// Call after CUDA failed. Forgets an error that CUDA recovers from. After any other, device() is not available from now on,
// with the reason. Returns whether that is new.
bool lost();

}  // namespace satdof::cuda
