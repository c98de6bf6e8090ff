#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

enum class Clock { gpu, cpu };
inline const char* name(Clock clock) { return clock == Clock::gpu ? "gpu" : "cpu"; }

// A stage of the frame.
struct Stage {
  std::string name;
  Clock clock = Clock::gpu;
  std::deque<float> samplesUs{};  // oldest first, at most Timings::kHistory
  int idleFrames = 0;             // frames since the last sample
  std::size_t counted = 0;        // samples since Timings::restart(); percentiles use only these

  // Whether the stage still runs. GPU times arrive a few frames late.
  bool isCurrent() const;
  float latestUs() const { return samplesUs.empty() ? 0.0f : samplesUs.back(); }
  float medianUs() const { return percentileUs(0.5); }
  // Returns the nearest-rank percentile of the counted samples; 0 if there are none. `fraction`: 0 to 1.
  float percentileUs(double fraction) const;
};

// Statistics for the panels and --stats.
struct FrameStats {
  std::vector<Stage> stages;         // in the order of their first run
  Stage frame{"frame", Clock::cpu};  // wall time from one beginFrame() to the next
  long frames = 0;
};

// Collects the times of stages. A GPU stage is a pair of timestamp queries in a ring of frames. Queries are read a few
// frames later, when their results are available, so nothing waits.
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
  // The times of scopes with the same name add up within a frame. GPU scopes need a current context.
  [[nodiscard]] Scope gpu(const char* stage) { return {*this, stage, Clock::gpu}; }
  [[nodiscard]] Scope cpu(const char* stage) { return {*this, stage, Clock::cpu}; }
  // Prefixes the names of stages while it lives.
  class Prefix {
   public:
    Prefix(Timings& timings, const char* prefix) : timings_(timings) { timings_.prefix_ = prefix; }
    Prefix(const Prefix&) = delete;
    ~Prefix() { timings_.prefix_ = ""; }

   private:
    Timings& timings_;
  };
  // Adds a time measured elsewhere (CUDA events), for this or an earlier frame.
  void report(const char* stage, Clock clock, float timeUs);
  // Reads the available GPU times. Drops stages without a sample for 120 frames.
  void endFrame();
  // Call when drawing stops: excludes the time until the next beginFrame() from the frame times.
  void pause() { frameStartUs_ = -1; }
  // Call after the last frame of a headless run: ends the wall time of the frame, then waits for all queries in flight.
  // The time of a single frame includes this wait.
  void finish();
  // Call when the workload changes: restarts the percentiles, keeps the history.
  void restart();
  // Call after the warm-up frames: discards all samples.
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
    std::size_t used = 0;
  };
  bool collect(Frame& frame, bool wait);
  Stage& stageNamed(std::string_view prefix, std::string_view stage, Clock clock);

  FrameStats stats_;
  const char* prefix_ = "";
  std::vector<Frame> ring_;
  std::size_t current_ = 0;
  double frameStartUs_ = -1;
};

}  // namespace satdof
