#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

struct cudaArray;
struct CUstream_st;

namespace satdof::cuda {

// Memory of the host and of the device with the same contents: `bytes` of linear memory, or, if `array` is set,
// the rows of a CUDA array of `widthBytes` x `height`.
struct HostCopy {
  void* host = nullptr;
  void* device = nullptr;
  std::size_t bytes = 0;
  cudaArray* array = nullptr;
  std::size_t widthBytes = 0, height = 0;
};

// Times one piece of work on a stream of its own.
class Stopwatch {
 public:
  using Work = std::function<void(CUstream_st* stream)>;
  struct Copies {
    std::vector<HostCopy> in, out;
  };

  // Copies the inputs to the device and runs `work` once. `capturable`: a graph can record `work`, so that
  // deviceUs() contains no launches. Throws std::runtime_error if CUDA fails.
  explicit Stopwatch(Work work, Copies copies = {}, bool capturable = true);
  ~Stopwatch();

  // Microseconds of one call by events: the mean of calls in a row, as many as fill about a fifth of a
  // millisecond.
  double deviceUs();
  // Microseconds of one call by the wall clock: inputs from pageable memory of the host to the device, launch,
  // work, outputs back, waiting.
  double endToEndUs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The versions of the driver and of the runtime: "13.0, 13.0".
struct Versions {
  int driver = 0, runtime = 0;  // 1000 times the major version plus ten times the minor one
};
Versions versions();

}  // namespace satdof::cuda
