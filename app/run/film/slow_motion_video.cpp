#include "app/run/film/slow_motion_video.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/trace/drawing.h"

namespace satdof {

namespace {

constexpr float kStopS = 6.0f;  // at a stop of a lesson
constexpr float kEndS = 2.0f;   // of the last frame

}  // namespace

SlowMotionVideo::SlowMotionVideo(const std::filesystem::path& path, trace::Show show,
                                 std::optional<trace::Lesson> lesson, const Options& options)
    : show_(std::move(show)),
      lesson_(std::move(lesson)),
      options_(options),
      video_(startVideo(path, {trace::kImageSize, options.framesPerSecond}, options.numbered)) {
  show_.seek(0.0f);
  enterStop();
}

void SlowMotionVideo::enterStop() {
  if (!lesson_) return;
  const auto& stops = lesson_->stops;
  const trace::Player& first = show_.players().front();
  while (nextStop_ < stops.size() && positionOf(stops[nextStop_], first) <= first.position()) {
    text_ = show_.textOf(stops[nextStop_++]);
    held_ = static_cast<int>(std::lround(kStopS * options_.framesPerSecond));
  }
}

std::optional<std::filesystem::path> SlowMotionVideo::advance(double waitS) {
  if (ended_) return video_->finished(waitS);
  if (!video_->ready(waitS)) return std::nullopt;
  video_->append(trace::rgbOf(show_, text_));
  if (held_ > 0) {
    --held_;
  } else if (!show_.atEnd()) {
    show_.step(options_.unit, 1);
    enterStop();
    if (show_.atEnd()) held_ = std::max(held_, static_cast<int>(std::lround(kEndS * options_.framesPerSecond)));
  } else {
    video_->end();
    ended_ = true;
  }
  return std::nullopt;
}

}  // namespace satdof
