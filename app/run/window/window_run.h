#pragma once
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/run/command_line/command_line.h"
#include "app/run/system/termination.h"
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

struct Saved {
  std::string news;     // a message about files that are saved
  std::string failure;  // why a file is not saved; empty: all are
};

// Saves a state for the next start. Any thread may call it; it owns what it uses and throws nothing.
using SaveState = std::function<Saved(const WindowState&)>;
// Saves on another thread. Returns false, with a message on stderr, if that takes longer than ten seconds.
bool saveInTime(const SaveState& save, const WindowState& state);

// Draws in one window until it is closed, and stores its last state in `state`, also if it throws ContextLost or
// std::runtime_error. Calls `save` when the window comes to rest, every few seconds while it draws, and if the
// display ends the program.
void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination,
                const SaveState& save);

}  // namespace satdof
