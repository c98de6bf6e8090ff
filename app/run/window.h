#pragma once
#include <filesystem>

#include "app/core/settings.h"
#include "app/run/command_line.h"

namespace satdof {

// Opens a window of `settings.size` in screen coordinates and draws until it is closed, then saves the
// settings to rememberedSettingsPath(). The image has the size of the framebuffer. If `commandLine.frames` is
// not 0: draws that many frames, writes the files of the command line and saves no settings. Throws
// std::runtime_error if there is no display or no OpenGL 4.5 core, a technique cannot run here, a file of the
// command line cannot be written, or, in debug builds and with --gl-debug, on the first OpenGL error.
void runWindow(Settings settings, const CommandLine& commandLine);

// $XDG_CONFIG_HOME/satdof/settings.json, or the same file under ~/.config.
std::filesystem::path rememberedSettingsPath();

// Returns the settings of the last window, or the defaults if there are none. A damaged file gives the
// defaults, too, and one line on stderr.
Settings rememberedSettings();

}  // namespace satdof
