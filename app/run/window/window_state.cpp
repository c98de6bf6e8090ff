#include "app/run/window/window_state.h"

#include <chrono>
#include <cstdio>

#include "app/core/system/inquiry.h"
#include "app/core/text/foreign_text.h"
#include "app/run/remembered/remembered.h"

namespace satdof {

WindowState stateOf(const Session& session, const History& history, const WindowPlace& place, bool lacksFile) {
  WindowState state{session.settings, session.preferences, session.notices.errors, place.position,
                    !session.settings.present.showUi};
  state.settings.size = place.size;
  state.lacksFile = lacksFile;
  state.shot = session.timeline.shot;
  state.undo = history.steps();
  state.preferences.strip.clear();
  if (const auto& photos = session.strip.photos; photos.size() <= Preferences::kStripPhotos)
    for (const auto& photo : photos) state.preferences.strip.push_back(photo.file.string());
  return state;
}

bool saveInTime(const SaveState& save, const WindowState& state) {
  constexpr std::chrono::seconds kMax(10);
  Inquiry<Saved> saves;
  saves.ask("", [save, state] { return save(state); });
  if (saves.take(kMax)) return true;
  std::fprintf(stderr, "satdof: cannot save the settings for the next start: the folder %s does not answer\n",
               pathText(configFolder()).c_str());
  return false;
}

}  // namespace satdof
