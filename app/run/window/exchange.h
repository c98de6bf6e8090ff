#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/ui/session.h"

namespace satdof {

// What the window is asked for settings, shots and presets (app/ui/ask.h). They throw std::runtime_error.
void loadSettings(Session& session, const std::filesystem::path& path);
void saveSettings(Session& session, const std::filesystem::path& asked);
void deletePreset(Session& session, const std::filesystem::path& path);
void useLens(Session& session, const std::string& name);
void saveShot(Session& session, const std::filesystem::path& path);
// `text`: settings as JSON, or a command line.
void pasteSettings(Session& session, const std::string& text);
void pasteLook(Session& session, const std::string& text);

// Opens the timeline with the shot of a file. Throws UsageError.
void useShotFile(Session& session, const std::filesystem::path& file);

// The window keeps its own size, full screen and panels.
void useSettings(Session& session, const Settings& settings, const std::string& notice);

// Puts the files first in the list of recent ones.
void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files);

}  // namespace satdof
