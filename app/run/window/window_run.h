#pragma once
#include "app/run/command_line/command_line.h"
#include "app/run/system/termination.h"
#include "app/run/window/window_state.h"

namespace satdof {

// Draws in one window until it is closed, and stores its last state in `state`, also if it throws ContextLost or
// std::runtime_error. Calls `save` when the window comes to rest, every few seconds while it draws, and if the
// display ends the program.
void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination,
                const SaveState& save);

}  // namespace satdof
