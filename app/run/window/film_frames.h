#pragma once
#include <future>
#include <memory>
#include <optional>

#include "app/run/patch_tracker.h"
#include "app/run/steady_frames.h"
#include "app/run/window/opening.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Shows of a film the frame at the playhead of the timeline, and the place that the autofocus tracks there. A thread reads the
// frames, one at a time: a slow machine leaves some out, but none of what is recorded.
class FilmFrames {
 public:
  // The settings show a frame of the film.
  void begin(Session& session, InputFilm film, History& history);
  // Call between Opening::begin() and end(), after all edits. Begins a film that was opened, the first time the film of the
  // last window. Another image ends the film. Throws std::runtime_error if a frame cannot be read.
  void serve(Session& session, Opening& opening, History& history);
  // The settings with what the film shows in a frame, from 0 on. Throws std::runtime_error if it cannot be read.
  Settings at(Settings settings, long frame);
  // Whether another frame is to be shown, or is being read.
  bool busy(const Session& session) const;

 private:
  struct Frame {
    ImageSettings image;
    std::shared_ptr<const void> files;  // holds what was read
    std::optional<FrameTracker::Place> place;
  };

  // Reads the files of a frame and of those that it depends on.
  struct Reader {
    InputFilm film;
    ImageSettings decides;
    std::shared_ptr<SteadyFrames> steady;
    std::shared_ptr<FrameTracker> tracker;
    Frame operator()(int number) const;
  };
  Reader reader() const { return {film_, decides_, steady_, tracker_}; }
  // Shows a frame in `image`.
  void put(ImageSettings& image, const ImageSettings& frame) const;

  void follow(Session& session);
  void look(const Session& session);
  void take(Session& session, Opening& opening, History& history);

  InputFilm film_;                         // without frames: none yet
  bool followed_ = false, asked_ = false;  // once; for the film of the last window
  ImageSettings decides_;                  // the depth of all frames
  Frame shown_;
  int number_ = -1;  // of the frame that is shown, that is being read or that could not be read
  std::shared_ptr<SteadyFrames> steady_;
  std::shared_ptr<FrameTracker> tracker_;
  glm::vec2 tracked_{0.0f};  // LensSettings::autofocusX and Y of the place
  std::future<Frame> job_;   // the last member: its thread ends first
};

}  // namespace satdof
