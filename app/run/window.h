#pragma once
#include "app/run/command_line.h"

namespace satdof {

// Opens a window and draws until it is closed or a signal ends the program, then saves the settings for the
// next window (app/run/remembered.h), unless `commandLine.fresh`. Starts with the settings of the last window,
// changed by the command line. The window has settings.size in screen coordinates, the image the size of the
// framebuffer. If `commandLine.frames` is not 0: starts with the defaults, draws that many frames, writes the
// files of the command line and saves no settings. Throws std::runtime_error if there is no display or no OpenGL 4.5 core, a technique cannot run here, a file of the
// command line cannot be written, or, in debug builds and with --gl-debug, on the first OpenGL error.
void runWindow(const CommandLine& commandLine);

}  // namespace satdof
