#pragma once
#include <memory>

#include "app/trace/trace.h"

// Jobs that run the kernels of kernels(), on the GPU (SATDOF_HAS_CUDA) and emulated (SATDOF_HAS_EMULATOR).
namespace satdof {

namespace trace {

// A device buffer that a trace names.
struct NamedMemory {
  const char* name;
  const void* data;
  std::size_t bytes;
  unsigned elementBytes;
};

// A call of a kernel, with its input and output in device memory.
class Job {
 public:
  virtual ~Job() = default;
  virtual void run() = 0;
  virtual std::vector<NamedMemory> memory() const = 0;
  // Returns the output of run() as bits. Waits for it.
  virtual std::vector<std::uint32_t> result() const = 0;
};

}  // namespace trace

// `input`: request.elements words.
namespace on_cuda {
std::unique_ptr<trace::Job> makeJob(const trace::Request& request, const std::vector<std::uint32_t>& input);
}
#ifndef SATDOF_EMULATED
namespace on_cuda_emulated {
std::unique_ptr<trace::Job> makeJob(const trace::Request& request, const std::vector<std::uint32_t>& input);
}
#endif

}  // namespace satdof
