#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cuda/runtime/check.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// Event times of a fixed list of stages, in a ring a few builds deep. Nothing ever waits for an event. A
// build that is captured in a graph is timed at every launch where a FrameGraph captures it, and not at all
// elsewhere.
class StageTimer {
 public:
  static constexpr size_t kRing = 4;
  // Where a FrameGraph of this thread that is capturing collects the timers of what it captures, else null.
  static inline thread_local std::vector<StageTimer*>* capturing = nullptr;

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
    const bool captured = capture != cudaStreamCaptureStatusNone;
    timed_ = !captured || capturing != nullptr;
    recordFlags_ = captured ? cudaEventRecordExternal : cudaEventRecordDefault;
    if (captured && timed_) capturing->push_back(this);
    mark_ = 0;
    record(stream);
  }
  // Ends the current stage and, unless it was the last, starts the next.
  void next(cudaStream_t stream) {
    record(stream);
    if (timed_ && mark_ == stages_.size() + 1) ++builds_;
  }
  // A graph with a build is launched again, the one whose events are next in the ring.
  void replayed() { ++builds_; }
  // The stages of the oldest build in the ring that has finished; empty before the first. The oldest, because
  // the events of a graph may look finished from its last launch until it runs.
  std::vector<StageTime> times() const {
    for (size_t age = std::min(ring_.size(), builds_); age > 0; --age) {
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
    if (timed_)
      SATDOF_CUDA(cudaEventRecordWithFlags(ring_[builds_ % ring_.size()][mark_++], stream, recordFlags_));
  }

  std::vector<const char*> stages_;
  std::array<std::vector<cudaEvent_t>, kRing> ring_;
  bool timed_ = true;
  unsigned recordFlags_ = cudaEventRecordDefault;
  size_t mark_ = 0;
  size_t builds_ = 0;
};

}  // namespace satdof::cuda
