#pragma once
#include <cstddef>

#include "app/core/settings.h"
#include "app/ui/session.h"

namespace satdof {

// Decides when a window may stop drawing: some frames and some time after the last change, because panels follow a
// change over several frames.
class RestTimer {
 public:
  // Call once before each frame. `changed`: the next frame may differ from the last one. `draws`: frames drawn so far.
  void update(bool changed, long draws, double nowS) {
    constexpr double kSettleS = 0.7;
    constexpr long kSettleDraws = 3;
    if (changed) {
      changeS_ = nowS;
      changeDraws_ = draws;
    }
    settled_ = nowS - changeS_ > kSettleS && draws - changeDraws_ > kSettleDraws;
  }
  bool settled() const { return settled_; }

 private:
  double changeS_ = 0.0;
  long changeDraws_ = 0;
  bool settled_ = false;
};

// What the parts of a window know of its next frame, besides the session.
struct WindowNews {
  bool input = false;   // events or another size of the window wait, or the clipboard is being read
  bool image = false;   // the image changes, or a film reads a frame
  bool panels = false;  // the panels show something else
  bool work = false;    // a thread or a dialog has something to show, or a file is being opened
  int lateAnswers = 0;  // lateCompletions()
};

// Decides when nothing is drawn until something changes.
class WindowRest {
 public:
  // Call once before each frame. `draws`: frames drawn so far.
  bool rests(const Session& session, const WindowNews& news, long draws, double nowS);
  // Whether only the age of a notice or hint still changes the panels.
  bool settled() const { return timer_.settled(); }

 private:
  RestTimer timer_;
  // In the last rests():
  Settings settings_;
  std::size_t errors_ = 0;
  int lateAnswers_ = 0;
};

}  // namespace satdof
