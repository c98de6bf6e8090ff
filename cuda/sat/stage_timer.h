#pragma once
#include <cuda_runtime_api.h>

#include <array>
#include <vector>

#include "cuda/check.h"
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Event times of a fixed list of stages, in a ring a few builds deep. Nothing ever waits for an event. Builds
// that are captured in a graph are not timed.
class StageTimer {
 public:
  explicit StageTimer(std::vector<const char*> stages) : stages_(std::move(stages)) {
    for (auto& events : ring_) {
      events.resize(stages_.size() + 1);
      for (cudaEvent_t& event : events) SATDOF_CUDA(cudaEventCreate(&event));
    }
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;
  ~StageTimer() {
    for (auto& events : ring_)
      for (const cudaEvent_t event : events) cudaEventDestroy(event);
  }

  // Starts a build's first stage.
  void begin(cudaStream_t stream) {
    cudaStreamCaptureStatus capture;
    SATDOF_CUDA(cudaStreamIsCapturing(stream, &capture));
    captured_ = capture != cudaStreamCaptureStatusNone;
    mark_ = 0;
    record(stream);
  }
  // Ends the current stage and, unless it was the last, starts the next.
  void next(cudaStream_t stream) {
    record(stream);
    if (!captured_ && mark_ == stages_.size() + 1) ++builds_;
  }
  // The stages of the newest build that has finished; empty before the first.
  std::vector<StageTime> times() const {
    for (size_t age = 1; age <= ring_.size() && age <= builds_; ++age) {
      const auto& events = ring_[(builds_ - age) % ring_.size()];
      const cudaError_t state = cudaEventQuery(events.back());
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();
        continue;
      }
      SATDOF_CUDA(state);
      std::vector<StageTime> times;
      for (size_t i = 0; i < stages_.size(); ++i) {
        float timeMs = 0;
        SATDOF_CUDA(cudaEventElapsedTime(&timeMs, events[i], events[i + 1]));
        times.push_back({stages_[i], timeMs * 1e3f});
      }
      return times;
    }
    return {};
  }

 private:
  void record(cudaStream_t stream) {
    if (!captured_) SATDOF_CUDA(cudaEventRecord(ring_[builds_ % ring_.size()][mark_++], stream));
  }

  std::vector<const char*> stages_;
  std::array<std::vector<cudaEvent_t>, 4> ring_;
  bool captured_ = false;
  size_t mark_ = 0;
  size_t builds_ = 0;
};

}  // namespace satdof::cuda
