#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/core/settings.h"
#include "app/run/command_line.h"
#include "app/run/termination.h"
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
};

// Draws in one window until it is closed; leaves its state, whatever ends it. Throws ContextLost or std::runtime_error.
void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination);

}  // namespace satdof
