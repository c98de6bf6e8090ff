#pragma once
#include <filesystem>

#include "app/core/settings.h"
#include "app/run/command_line.h"

namespace satdof {

// Opens a window of `settings.size` (in screen coordinates; the image has the framebuffer's pixels) and
// draws until it is closed, then saves the settings to rememberedSettingsPath(). Where `commandLine.frames`
// is not 0: draws that many frames and writes the files it asks for instead. Throws std::runtime_error when
// there is no display or no OpenGL 4.5 core, and, in debug builds and under `commandLine.glDebug`, on the
// first OpenGL error.
void runWindow(Settings settings, const CommandLine& commandLine);

// $XDG_CONFIG_HOME/satdof/settings.json, else the same under ~/.config.
std::filesystem::path rememberedSettingsPath();

// The settings that the last window left. The defaults where there are none, or, with one line on stderr,
// where the file is damaged.
Settings rememberedSettings();

}  // namespace satdof
