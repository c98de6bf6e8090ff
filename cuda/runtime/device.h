#pragma once
#include <cstddef>
#include <string>

namespace satdof::cuda {

// The CUDA device that everything runs on.
struct Device {
  bool available = false;
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string reason;  // where not available, one sentence
  unsigned multiprocessors = 0;
  size_t sharedBytesOfBlock = 0;  // that a block may ask for
  size_t sharedBytesOfMultiprocessor = 0;
};

// Found once and kept.
const Device& device();

}  // namespace satdof::cuda
