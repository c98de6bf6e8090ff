#include "app/run/window/playback.h"

#include <utility>

#include "app/ui/image/focus_ring.h"
#include "app/ui/timeline/ready_shots.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

void Playback::follow(Session& session, History& history, bool focusFound, double stepS) {
  Timeline& timeline = session.timeline;
  if (std::exchange(shot_, timeline.shot) == timeline.shot && !timeline.moved) recordEdits(session, settings_);
  finishRackFocus(session, focusFound);
  advancePull(session, std::exchange(pulled_, session.focus.pull.has_value()) ? stepS : 0.0);
  advancePlayhead(session, std::exchange(played_, timeline.playing) ? stepS : 0.0);
  if (std::exchange(timeline.moved, false)) history.amendShot(session);
  shot_ = timeline.shot;
  settings_ = session.settings;
}

}  // namespace satdof
