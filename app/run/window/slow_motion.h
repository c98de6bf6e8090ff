#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/run/film/slow_motion_video.h"
#include "app/trace/show.h"
#include "app/ui/session.h"

namespace satdof {

// The play of a window: records what the panel chooses, moves it by the time that passes and saves it.
class SlowMotion {
 public:
  // Reports failures in the session.
  void advance(Session& session);
  // Saves the moment that is shown. `extension`: ".svg". Throws std::runtime_error.
  void save(Session& session, const std::string& extension) const;
  // Null before the first choice, and after one that cannot be played.
  const trace::Show* show() const { return show_ ? &*show_ : nullptr; }
  const std::vector<trace::Lesson>& lessons() const { return lessons_; }

 private:
  void open(SlowMotionPanel& panel);
  void film(Session& session);

  bool opened_ = false;
  std::vector<trace::Lesson> lessons_;
  std::optional<trace::Show> show_;
  std::optional<SlowMotionVideo> film_;
  float unitsDue_ = 0.0f;
};

}  // namespace satdof
