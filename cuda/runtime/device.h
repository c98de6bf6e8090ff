#pragma once
#include <cstddef>
#include <string>

namespace satdof::cuda {

// Bytes of shared memory that CUDA reserves in each block.
inline constexpr std::size_t kSystemSharedBytes = 1024;

// The CUDA device that all work runs on.
struct Device {
  bool available = false;
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string reason;  // if not available: why, one sentence
  unsigned multiprocessors = 0;
  std::size_t sharedBytesOfBlock = 0;  // the largest amount that a block may request
  std::size_t sharedBytesOfMultiprocessor = 0;
};

// The first CUDA device. Queried once.
const Device& device();

// Call after a CUDA error. Clears an error that leaves the device usable. After any other error, device() is
// unavailable for the rest of the program, with the reason. Returns whether this call made it unavailable.
bool lost();

}  // namespace satdof::cuda
