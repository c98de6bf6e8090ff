#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/run/film/video.h"
#include "app/trace/show.h"

namespace satdof {

// A video of a slow-motion show from start to end, 1920x1080. Each frame steps by one unit. Stops of a lesson hold for
// some seconds, with their text.
class SlowMotionVideo {
 public:
  struct Options {
    trace::Unit unit = trace::Unit::instruction;
    float framesPerSecond = 4.0f;
    bool numbered = false;  // takes the first free name of numberedNames(path)
  };
  // Throws std::runtime_error if ffmpeg cannot be started.
  SlowMotionVideo(const std::filesystem::path& path, trace::Show show, std::optional<trace::Lesson> lesson,
                  const Options& options);
  // Adds a frame or, after the last one, ends the video. Waits at most `waitS` seconds for ffmpeg. Returns the
  // path once the video is written. Throws std::runtime_error with the reason if ffmpeg fails.
  std::optional<std::filesystem::path> advance(double waitS);
  // The part of the show that is encoded, 0 to 1.
  float part() const { return show_.progress(); }

 private:
  // Takes the text of the last stop that the show has reached, and holds there.
  void enterStop();

  trace::Show show_;
  std::optional<trace::Lesson> lesson_;
  Options options_;
  std::unique_ptr<Video> video_;
  std::size_t nextStop_ = 0;
  std::string text_;
  int held_ = 0;  // frames for which the show still holds
  bool ended_ = false;
};

}  // namespace satdof
