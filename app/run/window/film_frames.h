#pragma once
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "app/run/film/patch_tracker.h"
#include "app/run/film/steady_frames.h"
#include "app/run/window/opening.h"
#include "app/scene/loading.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Shows of a film the frame at the playhead of the timeline, and the place that the autofocus tracks there. A thread reads the
// frames, one at a time: a slow machine leaves some out, but none of what is recorded.
class FilmFrames {
 public:
  // `estimates`: Preferences::depthCommand runs for frames without depth. Else it does so once a frame with an estimated depth is shown.
  explicit FilmFrames(bool estimates = false) : estimates_(estimates) {}
  // The settings show a frame of the film.
  void begin(Session& session, InputFilm film, History& history);
  // Call between Opening::begin() and end(), after all edits. Begins a film that was opened, the first time the film of the
  // last window. Another image ends the film. Throws std::runtime_error if a frame cannot be read.
  void serve(Session& session, Opening& opening, History& history);
  // The settings with what the film shows in a frame, from 0 on; if `loads`, its pixels are there until the next serve(). Calls wait()
  // many times a second while a thread reads. Throws what wait() throws, and std::runtime_error if the frame cannot be read.
  Settings at(Settings settings, long frame, bool loads, const std::function<void()>& wait);
  // Whether another frame is to be shown, or is being read.
  bool busy(const Session& session) const;

 private:
  struct Frame {
    ImageSettings image;
    std::shared_ptr<const void> files;  // holds what was read
    std::optional<LensSettings> lens;   // that tracks
    bool lost = false;                  // what it tracks
  };

  struct Read;
  // Reads the files of a frame and of those that it depends on. A thread has one of its own.
  struct Reader {
    InputFilm film;  // without frames: none yet
    SteadyFrames steady;
    TrackerCache trackers;
    std::string depthCommand{};  // of frames without depth
    // `runs`: the command, for a depth that the cache does not hold.
    Read operator()(int number, const Settings& settings, bool loads, bool runs);
  };
  struct Read {
    Frame frame;
    Reader reader;  // with what it has read for later frames
  };
  // Whether the last frame was read by other settings, or without the depth that the command estimates.
  bool readsOther(const Settings& settings, bool runs) const;
  bool mayRun() const { return !reader_.depthCommand.empty() && reader_.film.depth.none(); }
  bool runs(const Session& session) const;
  void follow(Session& session);
  void look(const Session& session);
  void take(Session& session, Opening& opening, History& history);
  // Says which frame a folder does not give.
  void tellWait(Session& session) const;

  Reader reader_{{}, {}, TrackerCache("")};
  bool estimates_;
  bool followed_ = false, asked_ = false;  // once; for the film of the last window
  Frame shown_;
  std::shared_ptr<const void> others_;  // files of at()
  int number_ = -1;  // of the frame that is shown, that is being read or that could not be read
  std::optional<std::array<float, 3>> tracked_;  // trackedPoint() then
  ImageSettings smoothingKey_;                   // SteadyFrames::smoothingKey() then
  bool ran_ = false;                             // runs() then
  Inquiry<Read> inquiry_;
  std::chrono::steady_clock::time_point askedAt_;  // of inquiry_
};

}  // namespace satdof
