#include "app/run/window/state_saver.h"

#include <utility>

#include "app/core/shot/shot.h"
#include "app/core/text/foreign_text.h"
#include "app/run/remembered/remembered.h"
#include "app/ui/history.h"

namespace satdof {

namespace {

constexpr double kLateSaveS = 2.0;

// Whether the settings differ from those `before` by nothing but time and the shot at the playhead.
bool differByTimeOnly(const Session& session, const Settings& before) {
  const Timeline& timeline = session.timeline;
  return sameEdits(timeline.shown ? settingsAt(*timeline.shot, before, timeline.timeS) : before, session.settings);
}

}  // namespace

void StateSaver::save(const Session& session, WindowState state, bool playing) {
  began_ = Clock::now();
  if (playing && settings_ && differByTimeOnly(session, *settings_))
    state.settings = *settings_;
  else
    settings_ = state.settings;
  saving_.ask("saving the settings", [save = save_, state = std::move(state)] { return save(state); });
}

bool StateSaver::ready(Session& session) {
  report(session);
  if (!busy()) return true;
  if (ageS() > kLateSaveS)
    session.report("session", "the settings are still being saved for the next start: the folder " +
                                  pathText(configFolder()) + " does not answer");
  return false;
}

void StateSaver::report(Session& session) {
  const auto saved = saving_.take();
  if (!saved) return;
  session.forget("session");
  if (!saved->news.empty()) session.report("shot", saved->news);
  if (std::exchange(failure_, saved->failure) == saved->failure) return;
  session.forget("saving");
  if (!failure_.empty()) session.report("saving", failure_);
}

double StateSaver::ageS() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

}  // namespace satdof
