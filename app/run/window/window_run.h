#pragma once
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/run/command_line.h"
#include "app/run/system/termination.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// What one window leaves to the next.
struct WindowState {
  Settings settings;  // with the size of the window
  Preferences preferences;
  std::vector<ErrorReport> errors;     // shown
  std::optional<glm::ivec2> position;  // of the window before
  bool panelsWereHidden = false;       // in the window before
  bool lacksFile = false;              // see FrameResult
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::vector<UndoStep> undo{};
};

struct Saved {
  std::string news;     // what else has happened to the files
  std::string failure;  // why a file is not saved
};

// Saves a state for the next start. For any thread; owns what it uses. Throws nothing.
using SaveState = std::function<Saved(const WindowState&)>;
// Saves on another thread. Tells, and returns false, if that takes too long.
bool saveInTime(const SaveState& save, const WindowState& state);

// Draws in one window until it is closed; leaves its state, whatever ends it. Throws ContextLost or std::runtime_error.
// Calls `save` when the window has come to rest, once a minute, and if the display ends the program.
void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination,
                const SaveState& save);

}  // namespace satdof
