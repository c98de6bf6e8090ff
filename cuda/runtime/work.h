#pragma once
#include <cstddef>
#include <vector>

struct cudaArray;
struct CUstream_st;

namespace satdof::cuda {

struct StageTime {
  const char* name;
  float timeUs;
};

// GPU work on CUDA arrays: enqueued on a stream, timed by stages.
class Work {
 public:
  virtual ~Work() = default;
  // Forgets every array seen so far. Call before freeing or unregistering one of them. Waits for the device.
  virtual void forgetArrays() = 0;
  // The stages of a run a few frames ago, in order; empty before the first run has finished. Never waits.
  virtual std::vector<StageTime> stageTimes() const = 0;
  // The number of runs so far.
  virtual std::size_t runs() const = 0;
};

}  // namespace satdof::cuda
