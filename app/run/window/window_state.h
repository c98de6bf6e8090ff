#pragma once
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/run/window/glfw_window.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// What one window leaves to the next.
struct WindowState {
  Settings settings;  // settings.size: of the window
  Preferences preferences;
  std::vector<ErrorReport> errors;     // that the window shows
  std::optional<glm::ivec2> position;  // of the last window; none: no window has opened
  bool panelsWereHidden = false;       // in the last window
  bool lacksFile = false;              // see FrameResult
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::vector<UndoStep> undo{};
};

// The state of an open window. `lacksFile`: see FrameResult.
WindowState stateOf(const Session& session, const History& history, const WindowPlace& place, bool lacksFile);

struct Saved {
  std::string news;     // a message about files that are saved
  std::string failure;  // why a file is not saved; empty: all are
};

// Saves a state for the next start. Any thread may call it; it owns what it uses and throws nothing.
using SaveState = std::function<Saved(const WindowState&)>;
// Saves on another thread. Returns false, with a message on stderr, if that takes longer than ten seconds.
bool saveInTime(const SaveState& save, const WindowState& state);

}  // namespace satdof
