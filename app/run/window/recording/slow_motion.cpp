#include "app/run/window/recording/slow_motion.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/core/files/file_timeout.h"
#include "app/io/image_file.h"
#include "app/run/window/files/saving.h"
#include "app/trace/drawing.h"
#include "app/ui/panels/slow_motion_panel.h"

namespace satdof {

namespace {

constexpr float kLongestFrameS = 0.25f;  // a longer frame does not move further
constexpr double kLongestWaitS = 0.02;   // a frame waits for the encoder of a video

}  // namespace

void SlowMotion::advance(Session& session) {
  SlowMotionPanel& panel = session.slow;
  if (!panel.shown && !panel.filming) return;
  try {
    if (!std::exchange(opened_, true)) {
      lessons_ = trace::lessons();
      if (!panel.open && !lessons_.empty()) chooseLesson(panel, lessons_.front(), 0);
    }
    if (std::exchange(panel.open, false)) open(panel);
    if (!show_) return;
    if (std::exchange(panel.goToStop, false) && panel.lesson) show_->seek(lessons_[*panel.lesson].stops[panel.stop]);
    if (const auto part = std::exchange(panel.seek, std::nullopt)) show_->seek(*part);
    if (const int by = std::exchange(panel.stepBy, 0); by != 0) show_->step(panel.unit, by);
    if (panel.playing) {
      unitsDue_ += panel.unitsPerS * std::min(session.input.frameS, kLongestFrameS);
      const auto whole = static_cast<int>(unitsDue_);
      unitsDue_ -= static_cast<float>(whole);
      show_->step(panel.unit, whole);
      panel.playing = !show_->atEnd();
    }
    film(session);
    session.forget("slow motion");
  } catch (const std::runtime_error& error) {
    panel.filming = false;
    film_.reset();
    session.report("slow motion", error.what());
  }
}

void SlowMotion::open(SlowMotionPanel& panel) {
  show_.reset();
  panel.playing = false;
  unitsDue_ = 0.0f;
  show_.emplace(panel.request, panel.beside, panel.besideBlockSize);
}

void SlowMotion::save(Session& session, const std::string& extension) const {
  if (!show_) return;
  const SlowMotionPanel& panel = session.slow;
  const std::string text = panel.lesson ? show_->textOf(lessons_[*panel.lesson].stops[panel.stop]) : "";
  const std::string bytes = extension == ".svg" ? trace::svgOf(*show_, text) : trace::pngOf(*show_, text);
  const std::filesystem::path name = "satdof-slow" + extension;
  tellWritten(session, name, writeWithTimeout(name, [=] { return writeNumbered(name, bytes); }));
}

void SlowMotion::film(Session& session) {
  SlowMotionPanel& panel = session.slow;
  if (!panel.filming) {
    film_.reset();
    return;
  }
  if (!film_) {
    std::optional<trace::Lesson> lesson;
    if (panel.lesson) lesson = lessons_[*panel.lesson];
    film_.emplace(
        "satdof-slow.mp4", *show_, std::move(lesson),
        SlowMotionVideo::Options{
            .unit = panel.unit, .framesPerSecond = std::clamp(panel.unitsPerS, 1.0f, 60.0f), .numbered = true});
  }
  const auto path = film_->advance(kLongestWaitS);
  panel.filmed = film_->part();
  if (!path) return;
  panel.filming = false;
  film_.reset();
  session.say("Saved " + path->string());
}

}  // namespace satdof
