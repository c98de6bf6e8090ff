#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Plays the shot of the timeline in step with the clock, pulls the focus to a mark, and records edits as keys.
class Playback {
 public:
  // Call after all edits of a frame. `stepS`: seconds since the last frame, whatever a frame takes to draw.
  // `focusFound`: the image knows the distance of the point that was clicked.
  void follow(Session& session, History& history, bool focusFound, double stepS);
  // Call after undo and redo: what they changed is no edit that becomes a key.
  void skipEdits(const Session& session) { settings_ = session.settings; }

 private:
  // As of the last follow():
  std::shared_ptr<const Shot> shot_;
  Settings settings_;
  bool played_ = false;
  bool pulled_ = false;
};

}  // namespace satdof
