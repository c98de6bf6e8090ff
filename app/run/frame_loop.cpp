#include "app/run/frame_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/io/image_file.h"
#include "app/render/changes.h"

namespace satdof {

namespace {

FramePlan withEnd(FramePlan plan) {
  if (plan.end == 0) plan.end = plan.frames;
  return plan;
}

}  // namespace

float animationTimeS(const FramePlan& plan, const Settings& start, long frame) {
  if (!start.scene.animate || frame == 0) return start.scene.timeS;
  return start.scene.timeS + static_cast<float>(frame) / plan.framesPerSecond;
}

FrameLoop::FrameLoop(const FramePlan& plan, Settings& settings)
    : plan_(withEnd(plan)),
      settings_(settings),
      warmUpFrames_(std::min(kMaxWarmUpFrames, frames() / 2)),
      frame_(plan.first),
      drawn_(settings),
      timeS_(settings.scene.timeS) {
  if (plan.first == 0 || plan.framesPerSecond <= 0 || !settings.scene.animate) return;
  baseS_ = timeS();
  framesPerSecond_ = plan.framesPerSecond;
  steps_ = plan.first;
  timeS_ = animationTimeS(plan, settings, plan.first);
}

void FrameLoop::begin(double nowS, bool ready) {
  if (plan_.frames > 0 && framesDone() == warmUpFrames_ && !again_) timings_.clear();
  elapsedS_ = std::min(nowS - lastS_.value_or(nowS), kLongestStepS);
  lastS_ = nowS;
  waits_ = beginsRecordedFrame() && !ready;
  if (!again_ && !waits_) advance();
}

bool FrameLoop::draws(bool imageChanged) {
  if (waits_ || (plan_.frames == 0 && !sequence_ && !again_ && !imageChanged)) {
    timings_.pause();
    return false;
  }
  timings_.beginFrame();
  if (plan_.shot) {
    const float rate = plan_.framesPerSecond > 0 ? plan_.framesPerSecond : kDefaultFramesPerSecond;
    settings_ = settingsAt(*plan_.shot, settings_, frameTimeS(*plan_.shot, frame_, rate));
  }
  if (plan_.frames == 0 && changesWorkload(drawn_, settings_)) timings_.restart();
  return true;
}

Settings FrameLoop::shown() const {
  Settings shown = settings_;
  shown.lens.autofocus = shown.lens.autofocus && !refining_;
  return shown;
}

void FrameLoop::take(const FrameResult& result) {
  timings_.endFrame();
  result_ = result;
  applyResult(settings_, result_);
  drawn_ = settings_;
}

std::vector<FrameFile> FrameLoop::files() {
  const bool isLast = frame_ + 1 == plan_.end;
  const bool seeksFirst = plan_.frames > 0 && frame_ == plan_.first && settings_.lens.autofocus;
  std::vector<FrameFile> files;
  again_ = (seeksFirst || sequence_) && !settled();
  if (again_) return files;
  if (sequence_ || (isLast && !stats_)) timings_.finish();
  if (isLast && !stats_) stats_ = timings_.stats();
  if (sequence_ && sequence_->video) files.emplace_back();
  if (sequence_ && !sequence_->path.empty() && sequence_->firstNumber == 0) files.push_back({sequence_->path, true});
  if (sequence_ && !sequence_->path.empty() && sequence_->firstNumber > 0)
    files.push_back({numberedPath(sequence_->path, sequence_->firstNumber + sequence_->written)});
  if (!isLast || plan_.capture.empty()) return files;
  again_ = !settled();
  if (!again_) files.push_back({plan_.capture});
  return files;
}

void FrameLoop::end() {
  if (again_) return;
  if (sequence_) countImage();
  ++frame_;
  refining_ = false;
  focusDraws_ = 0;
}

void FrameLoop::advance() {
  if (frame_ == plan_.first || !settings_.scene.animate) return;
  const float rate = plan_.framesPerSecond > 0 ? plan_.framesPerSecond : sequence_ ? sequence_->framesPerSecond : 0.0f;
  if (std::exchange(framesPerSecond_, rate) != rate) {
    baseS_ = timeS();
    steps_ = 0;
  }
  if (rate > 0)
    timeS_ = baseS_ + static_cast<float>(++steps_) / rate;
  else
    timeS_ += elapsedS_;
  if (plan_.frames == 0 && timeS_ >= kAnimationPeriodS) {
    timeS_ = std::fmod(timeS_, kAnimationPeriodS);
    framesPerSecond_ = 0;
  }
}

bool FrameLoop::settled() {
  if (!refining_ && result_.focusPending && focusDraws_ < kMaxFocusDraws) {
    ++focusDraws_;
    return false;
  }
  refining_ = result_.progress < 1.0f;
  return !refining_;
}

}  // namespace satdof
