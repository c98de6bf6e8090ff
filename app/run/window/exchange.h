#pragma once
#include <filesystem>
#include <string>

#include "app/run/glfw_window.h"
#include "app/run/window/chooser.h"
#include "app/run/window/clipboard.h"
#include "app/run/window/depth_maker.h"
#include "app/run/window/opening.h"
#include "app/run/window/photo_strip.h"
#include "app/ui/session.h"

namespace satdof {

// Serves the requests of the session for the clipboard and for files of settings, then the files dropped on the window
// or chosen.
// Reports failures in the session.
void exchangeSettings(Session& session, GlfwWindow& window, WindowClipboard& clipboard, Opening& opening,
                      Chooser& chooser, StripServer& strip, DepthMaker& depth);

// Serves the requests of the session for files of settings. Throws std::runtime_error.
void exchangeFiles(Session& session);

// Opens the timeline with the shot of a file. Throws UsageError.
void useShotFile(Session& session, const std::filesystem::path& file);

// The window keeps its own size, full screen and panels.
void useSettings(Session& session, const Settings& settings, const std::string& notice);

// Puts the files first in the list of recent ones.
void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files);

}  // namespace satdof
