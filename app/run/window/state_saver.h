#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "app/core/system/inquiry.h"
#include "app/run/window/window_state.h"

namespace satdof {

// Saves the state of a window in the background for the next start, so that a crash loses little.
class StateSaver {
 public:
  // `save` runs on another thread.
  explicit StateSaver(const SaveState& save) : save_(save) {}
  // Begins to save `state`. Call only if ready(). If `playing`, settings that differ from the last saved ones by the
  // animation time alone are not saved.
  void save(const Session& session, WindowState state, bool playing);
  // Reports how the last save ended. Returns whether it has ended; reports it as late after some seconds.
  bool ready(Session& session);
  // Reports how the last save ended, once.
  void report(Session& session);
  // Whether a save runs.
  bool busy() const { return saving_.waits(); }
  // Seconds since the last save() began.
  double ageS() const;

 private:
  using Clock = std::chrono::steady_clock;

  const SaveState& save_;
  Inquiry<Saved> saving_;
  Clock::time_point began_ = Clock::now();
  std::optional<Settings> settings_;  // of the last save()
  std::string failure_;               // of the last save()
};

}  // namespace satdof
