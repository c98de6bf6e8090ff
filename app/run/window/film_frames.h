#pragma once
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "app/core/system/inquiry.h"
#include "app/run/film/patch_tracker.h"
#include "app/run/film/steady_frames.h"
#include "app/run/window/files/opening.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Shows the frame of a film at the playhead of the timeline, and the place that the autofocus tracks in it. A thread
// reads one frame at a time. A slow machine skips frames while it plays, but not while it records.
class FilmFrames {
 public:
  // `estimates`: Preferences::depthCommand runs for frames without depth. Else it runs from the first frame on
  // that is shown with an estimated depth.
  explicit FilmFrames(bool estimates = false) : estimates_(estimates) {}
  // Call with settings that show a frame of `film`.
  void begin(Session& session, InputFilm film, History& history);
  // Call between Opening::beginEdits() and endEdits(), after all edits. Begins a film that was opened, at first the
  // film of the last window. Ends the film if another image is shown. Throws std::runtime_error if a frame cannot be
  // read.
  void serve(Session& session, Opening& opening, History& history);
  // Returns the settings with image and tracked place of a frame, from 0 on. If `loads`, its pixels stay in memory
  // until the next serve(). Calls wait() many times a second while a thread reads. Throws what wait() throws, and
  // std::runtime_error if the frame cannot be read.
  Settings at(Settings settings, long frame, bool loads, const std::function<void()>& wait);
  // Whether the frame at the playhead is not shown yet.
  bool busy(const Session& session) const;

 private:
  struct Frame {
    ImageSettings image;
    std::shared_ptr<const void> files;  // keeps what was read
    std::optional<LensSettings> lens;   // with the tracked place, if the autofocus tracks
    bool lost = false;                  // the tracked point is not visible
  };

  struct Read;
  // Reads the files of a frame and of the frames that it depends on. Copied to the thread and back.
  struct Reader {
    InputFilm film;  // no frames: there is no film
    SteadyFrames steady;
    TrackerCache trackers;
    std::string depthCommand{};  // for frames without depth
    // `runs`: the command runs for depths that are not cached.
    Read operator()(int number, const Settings& settings, bool loads, bool runs);
  };
  struct Read {
    Frame frame;
    Reader reader;  // keeps what later frames need
  };
  // Whether the last frame was read with other settings, or without a depth that the command would estimate.
  bool readsOther(const Settings& settings, bool runs) const;
  // Whether the command may run for frames of this film; whether it runs for the next frame.
  bool mayRun() const { return !reader_.depthCommand.empty() && reader_.film.depth.none(); }
  bool runs(const Session& session) const;
  void follow(Session& session);
  // Begins to read the frame at the playhead.
  void request(const Session& session);
  // Shows the frame that was read.
  void take(Session& session, Opening& opening, History& history);
  // Says that reading a frame takes long.
  void tellWait(Session& session) const;

  Reader reader_{{}, {}, TrackerCache("")};
  bool estimates_;
  bool followed_ = false;  // follow() was called
  bool reopened_ = false;  // the film of the last window was opened
  Frame shown_;
  std::shared_ptr<const void> files_;  // of the last at()
  // Of the frame that is shown, being read or unreadable:
  int number_ = -1;
  std::optional<std::array<float, 3>> tracked_;  // trackedPoint()
  ImageSettings smoothingKey_;                   // SteadyFrames::smoothingKey()
  bool ran_ = false;                             // runs()
  Inquiry<Read> inquiry_;
  std::chrono::steady_clock::time_point requestedAt_;  // time of request()
};

}  // namespace satdof
