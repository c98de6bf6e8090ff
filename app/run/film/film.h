#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/run/film/video.h"
#include "app/trace/show.h"

namespace satdof {

// A video of a show from its start to its end, a frame a unit, 1920x1080. Waits at the stops of a lesson, with their text.
class Film {
 public:
  struct Options {
    trace::Unit unit = trace::Unit::instruction;
    float framesPerSecond = 4.0f;
    bool numbered = false;  // a free name beside `path`
  };
  // Throws std::runtime_error if ffmpeg cannot be started.
  Film(const std::filesystem::path& path, trace::Show show, std::optional<trace::Lesson> lesson,
       const Options& options);
  // Adds a frame, or ends the video; waits at most `waitS` seconds for ffmpeg. Returns the path of a whole video. Throws
  // std::runtime_error with the reason if ffmpeg fails.
  std::optional<std::filesystem::path> advance(double waitS);
  float part() const { return show_.progress(); }  // 0 to 1

 private:
  void enterStop();

  trace::Show show_;
  std::optional<trace::Lesson> lesson_;
  Options options_;
  std::unique_ptr<Video> video_;
  std::size_t nextStop_ = 0;
  std::string text_;
  int held_ = 0;  // frames for which the play still waits
  bool ended_ = false;
};

}  // namespace satdof
