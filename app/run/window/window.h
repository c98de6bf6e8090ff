#pragma once
#include "app/run/command_line/command_line.h"

namespace satdof {

// Opens a window and draws until it is closed or a signal ends the program. Starts with the settings of the last
// window, changed by the command line, and saves them for the next one (app/run/remembered/remembered.h), unless
// `commandLine.fresh`. The size of the settings is the size of the window in screen coordinates; the image has the size
// of the framebuffer. If `commandLine.frames` is not 0: starts with the defaults, draws that many frames, writes the
// files of the command line and saves no settings. Throws std::runtime_error if there is no display or no OpenGL 4.5
// core, a technique cannot run on this machine, a file of the command line cannot be written, or, in debug builds
// and with --gl-debug, on the first OpenGL error.
void runWindow(const CommandLine& commandLine);

}  // namespace satdof
