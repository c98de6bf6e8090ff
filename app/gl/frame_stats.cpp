#include "app/gl/frame_stats.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <span>

#include "app/core/system/abandon.h"

namespace satdof {

namespace {

constexpr int kIdleFramesUntilDropped = 120;

double nowUs() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

GLuint createTimestampQuery() {
  GLuint query = 0;
  glCreateQueries(GL_TIMESTAMP, 1, &query);
  return query;
}

void push(Stage& stage, float timeUs) {
  stage.samplesUs.push_back(timeUs);
  if (stage.samplesUs.size() > Timings::kHistory) stage.samplesUs.pop_front();
  stage.counted = std::min(stage.counted + 1, stage.samplesUs.size());
  stage.idleFrames = 0;
}

}  // namespace

bool Stage::isCurrent() const { return counted > 0 && idleFrames <= 2 * Timings::kRing; }

float Stage::percentileUs(double fraction) const {
  if (counted == 0) return 0.0f;
  std::vector<float> sorted(samplesUs.end() - static_cast<std::ptrdiff_t>(counted), samplesUs.end());
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  const auto index = rank > 0 ? rank - 1 : 0;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(index), sorted.end());
  return sorted[index];
}

Timings::Scope::Scope(Timings& timings, const char* stage, Clock clock)
    : timings_(timings), stage_(stage), clock_(clock) {
  throwIfAbandoned();
  timings.stageNamed(timings.prefix_, stage, clock);
  if (clock == Clock::cpu) {
    startUs_ = nowUs();
    return;
  }
  Frame& frame = timings.ring_[timings.current_];
  if (frame.used == frame.pending.size())
    frame.pending.push_back({"", gl::Query(createTimestampQuery()), gl::Query(createTimestampQuery()), 0.0f});
  Pending& pending = frame.pending[frame.used++];
  pending.stage.assign(timings.prefix_).append(stage);
  endQuery_ = pending.end.name();
  glQueryCounter(pending.begin.name(), GL_TIMESTAMP);
}

Timings::Scope::~Scope() {
  if (clock_ == Clock::gpu) {
    glQueryCounter(endQuery_, GL_TIMESTAMP);
    return;
  }
  try {
    timings_.report(stage_, Clock::cpu, static_cast<float>(nowUs() - startUs_));
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): one sample less
  }
}

Timings::Timings() : ring_(kRing) {}

Stage& Timings::stageNamed(std::string_view prefix, std::string_view stage, Clock clock) {
  for (auto& known : stats_.stages)
    if (known.clock == clock && known.name.size() == prefix.size() + stage.size() && known.name.starts_with(prefix) &&
        known.name.ends_with(stage))
      return known;
  stats_.stages.push_back({std::string(prefix).append(stage), clock});
  return stats_.stages.back();
}

void Timings::beginFrame() {
  const double now = nowUs();
  if (frameStartUs_ >= 0) push(stats_.frame, static_cast<float>(now - frameStartUs_));
  frameStartUs_ = now;
  ++stats_.frames;
  current_ = (current_ + 1) % ring_.size();
  collect(ring_[current_], false);
  ring_[current_].used = 0;
}

void Timings::report(const char* stage, Clock clock, float timeUs) { push(stageNamed(prefix_, stage, clock), timeUs); }

bool Timings::collect(Frame& frame, bool wait) {
  if (frame.used == 0) return true;
  if (!wait) {
    GLint available = GL_FALSE;
    glGetQueryObjectiv(frame.pending[frame.used - 1].end.name(), GL_QUERY_RESULT_AVAILABLE, &available);
    if (available == GL_FALSE) return false;
  }
  const std::span<Pending> stages(frame.pending.data(), frame.used);
  for (Pending& stage : stages) {
    GLuint64 begin = 0, end = 0;
    glGetQueryObjectui64v(stage.begin.name(), GL_QUERY_RESULT, &begin);
    glGetQueryObjectui64v(stage.end.name(), GL_QUERY_RESULT, &end);
    const float timeUs = static_cast<float>(end - begin) * 1e-3f;
    Pending& first = *std::ranges::find(stages, stage.stage, &Pending::stage);
    first.timeUs = &first == &stage ? timeUs : first.timeUs + timeUs;
  }
  for (const Pending& stage : stages)
    if (&*std::ranges::find(stages, stage.stage, &Pending::stage) == &stage)
      push(stageNamed("", stage.stage, Clock::gpu), stage.timeUs);
  frame.used = 0;
  return true;
}

void Timings::endFrame() {
  for (std::size_t i = 1; i < ring_.size(); ++i)
    if (!collect(ring_[(current_ + i) % ring_.size()], false)) break;
  for (auto& stage : stats_.stages) ++stage.idleFrames;
  std::erase_if(stats_.stages, [](const Stage& stage) { return stage.idleFrames > kIdleFramesUntilDropped; });
}

void Timings::finish() {
  const double submittedUs = nowUs();
  for (std::size_t i = 1; i <= ring_.size(); ++i) collect(ring_[(current_ + i) % ring_.size()], true);
  // collect() also waited for earlier frames in flight: count their time only if there is no other sample.
  const double endUs = stats_.frame.samplesUs.empty() ? nowUs() : submittedUs;
  if (frameStartUs_ >= 0) push(stats_.frame, static_cast<float>(endUs - frameStartUs_));
  frameStartUs_ = -1;
}

void Timings::restart() {
  for (auto& frame : ring_) frame.used = 0;
  for (auto& stage : stats_.stages) stage.counted = 0;
  stats_.frame.counted = 0;
  pause();
}

void Timings::clear() {
  for (auto& frame : ring_) frame.used = 0;
  stats_ = FrameStats{};
  frameStartUs_ = -1;
}

}  // namespace satdof
