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

void FrameLoop::step(FrameHost& host) {
  if (plan_.frames > 0 && framesDone() == warmUpFrames_ && !again_) timings_.clear();
  measureTime(host.nowS());
  const bool waits = sequence_ && !again_ && !host.ready();
  if (!again_ && !waits) advance();
  host.update();
  if (waits || (plan_.frames == 0 && !sequence_ && !again_ && !host.imageChanged())) {
    timings_.pause();
    host.repaint();
    host.endDraw();
    return;
  }
  timings_.beginFrame();
  playShot();
  if (plan_.frames == 0 && changesWorkload(drawn_, settings_)) timings_.restart();
  drawOnce(host);
  timings_.endFrame();
  host.endDraw();
  again_ = !finishFrame(host);
  if (again_) return;
  ++frame_;
  refining_ = false;
  focusDraws_ = 0;
}

void FrameLoop::measureTime(double nowS) {
  elapsedS_ = std::min(nowS - lastS_.value_or(nowS), kLongestStepS);
  lastS_ = nowS;
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

void FrameLoop::playShot() {
  if (!plan_.shot) return;
  const float rate = plan_.framesPerSecond > 0 ? plan_.framesPerSecond : kDefaultFramesPerSecond;
  settings_ = settingsAt(*plan_.shot, settings_, frameTimeS(*plan_.shot, frame_, rate));
}

void FrameLoop::drawOnce(FrameHost& host) {
  Settings shown = settings_;
  shown.lens.autofocus = shown.lens.autofocus && !refining_;
  result_ = host.draw(shown, timeS(), timings_);
  applyResult(settings_, result_);
  drawn_ = settings_;
}

bool FrameLoop::finishFrame(FrameHost& host) {
  const bool seeksFirst = plan_.frames > 0 && frame_ == plan_.first && settings_.lens.autofocus;
  if ((seeksFirst || sequence_) && !settled()) return false;
  if (sequence_) {
    timings_.finish();
    if (record(host))
      countImage();
    else
      stopSequence();
  }
  if (frame_ + 1 != plan_.end) return true;
  if (!stats_) {
    timings_.finish();
    stats_ = timings_.stats();
  }
  if (plan_.capture.empty()) return true;
  if (!settled()) return false;
  host.write(plan_.capture, false);
  return true;
}

bool FrameLoop::record(FrameHost& host) {
  const ImageSequence& sequence = *sequence_;
  if (sequence.video && !host.append()) return false;
  if (sequence.path.empty()) return true;
  const bool numbered = sequence.firstNumber == 0;
  return host.write(numbered ? sequence.path : numberedPath(sequence.path, sequence.firstNumber + sequence.written),
                    numbered);
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
