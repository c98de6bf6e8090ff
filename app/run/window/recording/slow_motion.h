#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/run/film/slow_motion_video.h"
#include "app/trace/show.h"
#include "app/ui/session.h"

namespace satdof {

// Plays kernels in slow motion as the panel says: records a kernel, moves through its steps with time, and saves images
// and videos.
class SlowMotion {
 public:
  // Call once a frame. Reports failures in the session.
  void advance(Session& session);
  // Saves the step that is shown. `extension`: such as ".svg". Throws std::runtime_error.
  void save(Session& session, const std::string& extension) const;
  // The recorded kernel; null before the first one, and if recording failed.
  const trace::Show* show() const { return show_ ? &*show_ : nullptr; }
  const std::vector<trace::Lesson>& lessons() const { return lessons_; }

 private:
  // Records the kernel that the panel chooses.
  void open(SlowMotionPanel& panel);
  // Writes a video while the panel asks for it.
  void film(Session& session);

  bool opened_ = false;
  std::vector<trace::Lesson> lessons_;
  std::optional<trace::Show> show_;
  std::optional<SlowMotionVideo> film_;
  float unitsDue_ = 0.0f;  // part of a unit that time has passed but no step has shown
};

}  // namespace satdof
