#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

enum class Clock { gpu, cpu };
inline const char* name(Clock clock) { return clock == Clock::gpu ? "gpu" : "cpu"; }

// One stage of the frame, with its most recent samples (oldest first, at most Timings::kHistory).
struct Stage {
  std::string name;
  Clock clock = Clock::gpu;
  std::deque<float> samplesUs{};
  int idleFrames = 0;
  size_t counted = 0;  // latest samples, since Timings::restart(); percentiles use only these

  // Whether the stage is part of the frames of now: times of the GPU arrive some frames later.
  bool isCurrent() const;
  float latestUs() const { return samplesUs.empty() ? 0.0f : samplesUs.back(); }
  float medianUs() const { return percentileUs(0.5); }
  // Nearest-rank percentile of the counted samples, 0 if there are none; `fraction` in [0, 1].
  float percentileUs(double fraction) const;
};

// Statistics for the panels and --stats. Stages are in the order in which they first ran.
struct FrameStats {
  std::vector<Stage> stages;
  Stage frame{"frame", Clock::cpu};  // wall time from one beginFrame to the next
  long frames = 0;
};

// Collects stage times. GPU stages are pairs of timestamp queries in a ring. Queries are read some frames
// later, when their results are available: nothing waits for a timer.
class Timings {
 public:
  static constexpr int kHistory = 1024;
  static constexpr int kRing = 6;

  // Times a stage from construction to destruction.
  class Scope {
   public:
    Scope(Scope&&) = delete;
    ~Scope();

   private:
    friend class Timings;
    Scope(Timings& timings, const char* stage, Clock clock);
    Timings& timings_;
    const char* stage_;
    Clock clock_;
    double startUs_ = 0;
    GLuint endQuery_ = 0;
  };

  Timings();
  void beginFrame();
  // Scopes with the same name within one frame add up. GPU scopes need a current context.
  [[nodiscard]] Scope gpu(const char* stage) { return {*this, stage, Clock::gpu}; }
  [[nodiscard]] Scope cpu(const char* stage) { return {*this, stage, Clock::cpu}; }
  // Begins the names of stages with `prefix` until its end.
  class Prefix {
   public:
    Prefix(Timings& timings, const char* prefix) : timings_(timings) { timings_.prefix_ = prefix; }
    Prefix(const Prefix&) = delete;
    ~Prefix() { timings_.prefix_ = ""; }

   private:
    Timings& timings_;
  };
  // Adds a time measured elsewhere (CUDA events), of this or an earlier frame.
  void report(const char* stage, Clock clock, float timeUs);
  // Reads the GPU times that have arrived. Drops stages that had no sample for 120 frames.
  void endFrame();
  // Excludes the time until the next beginFrame() from the frame times. Call when drawing stops.
  void pause() { frameStartUs_ = -1; }
  // Ends the wall time of the last frame, waits for all queries in flight and reads them. The time of an only frame
  // includes this wait. Call after the last frame of a headless run.
  void finish();
  // Call when the workload changes: restarts the percentiles, keeps the history.
  void restart();
  // Discards all samples. Call after the warm-up frames.
  void clear();

  const FrameStats& stats() const { return stats_; }

 private:
  struct Pending {
    std::string stage;
    gl::Query begin, end;
    float timeUs = 0.0f;
  };
  struct Frame {
    std::vector<Pending> pending;
    size_t used = 0;
  };
  bool collect(Frame& frame, bool wait);
  Stage& stageNamed(std::string_view prefix, std::string_view stage, Clock clock);

  FrameStats stats_;
  const char* prefix_ = "";
  std::vector<Frame> ring_;
  size_t current_ = 0;
  double frameStartUs_ = -1;
};

}  // namespace satdof
