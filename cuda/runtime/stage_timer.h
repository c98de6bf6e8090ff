#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cuda/runtime/check.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// Times the stages of a build by CUDA events, in a ring of kRing builds. Never waits for an event. A build
// that a FrameGraph captures is timed at every launch of the graph; a build captured otherwise is not timed.
class StageTimer {
 public:
  static constexpr std::size_t kRing = 4;
  // The timers captured so far by the FrameGraph that is capturing on this thread; null if none is.
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

  // Starts the first stage of a build.
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
  // Ends the current stage and starts the next, if there is one.
  void next(cudaStream_t stream) {
    record(stream);
    if (timed_ && mark_ == stages_.size() + 1) ++builds_;
  }
  // Call when a graph that records the next events of the ring is launched again.
  void replayed() { ++builds_; }
  std::size_t builds() const { return builds_; }
  // The stages of the oldest finished build in the ring; empty before the first. Not of the newest: until a
  // graph runs again, its events still report its previous launch as finished.
  std::vector<StageTime> times() const {
    for (std::size_t age = std::min(ring_.size(), builds_); age > 0; --age) {
      const auto& events = ring_[(builds_ - age) % ring_.size()];
      const cudaError_t state = cudaEventQuery(events.back());
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();
        continue;
      }
      SATDOF_CUDA(state);
      std::vector<StageTime> times;
      for (std::size_t i = 0; i < stages_.size(); ++i) {
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
    if (timed_) SATDOF_CUDA(cudaEventRecordWithFlags(ring_[builds_ % ring_.size()][mark_++], stream, recordFlags_));
  }

  std::vector<const char*> stages_;
  std::array<std::vector<cudaEvent_t>, kRing> ring_;
  bool timed_ = true;
  unsigned recordFlags_ = cudaEventRecordDefault;
  std::size_t mark_ = 0;
  std::size_t builds_ = 0;
};

// The stages of work in two parts, each with its own timer.
inline std::vector<StageTime> timesOf(const StageTimer& first, const StageTimer& second) {
  std::vector<StageTime> times = first.times();
  const std::vector<StageTime> later = second.times();
  times.insert(times.end(), later.begin(), later.end());
  return times;
}

}  // namespace satdof::cuda
