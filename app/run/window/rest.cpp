#include "app/run/window/rest.h"

namespace satdof {

namespace {

// Whether the session says that the next image differs from the last one.
bool imageMoves(const Session& session) {
  return session.moves() || session.sequence || session.timeline.playing || session.focus.pull;
}

// Whether the session says that the next panels differ from the last ones by more than the age of a notice or hint.
bool panelsMove(const Session& session) {
  const SlowMotionPanel& slow = session.slow;
  return session.lab.running || slow.playing || slow.filming || (slow.shown && slow.open) ||
         session.focus.markerAgeS < kFocusMarkerS;
}

}  // namespace

bool WindowRest::rests(const Session& session, const WindowNews& news, long draws, double nowS) {
  const bool differs =
      session.settings != settings_ || session.notices.errors.size() != errors_ || news.lateAnswers != lateAnswers_;
  settings_ = session.settings;
  errors_ = session.notices.errors.size();
  lateAnswers_ = news.lateAnswers;
  const bool hasNews = news.input || news.image || news.panels || news.work;
  timer_.update(differs || hasNews || !session.commands.empty() || imageMoves(session) || panelsMove(session), draws,
                nowS);
  return settled() && session.notices.ageS >= kNoticeS && session.notices.hintAgeS >= kHintS;
}

}  // namespace satdof
