#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

struct cudaArray;
struct CUstream_st;

namespace satdof::cuda {

// A copy between host and device: `bytes` of linear memory, or, if `array` is set, a CUDA array of `height`
// rows of `widthBytes`.
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

  // Copies the inputs to the device and runs `work` a few times. `capturable`: `work` can be captured in a
  // graph; then deviceUs() does not contain launches from the host. Throws std::runtime_error if CUDA fails.
  explicit Stopwatch(Work work, Copies copies = {}, bool capturable = true);
  ~Stopwatch();

  // Microseconds of one call by CUDA events: the mean of up to 64 calls in a row, which take about 200
  // microseconds.
  double deviceUs();
  // Microseconds of one call by the wall clock: copies of the inputs from pageable host memory, launch, work,
  // copies of the outputs, wait.
  double endToEndUs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// CUDA versions of driver and runtime, as 1000 major + 10 minor.
struct Versions {
  int driver = 0, runtime = 0;
};
Versions versions();

}  // namespace satdof::cuda
