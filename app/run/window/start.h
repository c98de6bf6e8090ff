#pragma once
#include <glm/vec2.hpp>

#include "app/run/command_line/command_line.h"
#include "app/run/frame_loop.h"
#include "app/run/window/window_state.h"
#include "app/ui/session.h"

// What a window starts with.
namespace satdof {

FramePlan framePlan(const CommandLine& line);

// The settings and preferences of the last window, changed by the command line.
Session firstSession(const WindowState& before, const CommandLine& line);

// Replaces a remembered device that is missing, and values of settings that cannot be combined; says so. Keeps what the
// command line names: such values end the program.
void replaceUnavailable(Session& session, const CommandLine& line);
// Replaces values of settings that cannot be combined, and says so.
void replaceImpossible(Session& session);

// Completes firstSession() for a window without --frames: second side of a split, presets, photo strip, files to open.
// `size`: of the window in screen coordinates.
void beginInteractive(Session& session, const WindowState& before, const CommandLine& line, glm::ivec2 size);
// Shows a hint if the panels are hidden, or on the first start. Call last: the hint depends on the settings.
void showFirstHint(Session& session, const WindowState& before);
void showHint(Session& session, const std::string& text);

}  // namespace satdof
