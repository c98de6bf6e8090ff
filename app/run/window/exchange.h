#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/session.h"

namespace satdof {

class Opening;

// What files have told, put into the session. Made in the background: owns what it uses.
using Use = std::function<void(Session&, Opening&)>;

// Reads settings, a shot or, if `own`, a preset. Throws UsageError.
Use useOfSettings(const std::filesystem::path& path, const Settings& current, bool own);
// Reads a shot. Its use opens the timeline. Throws UsageError.
Use useOfShot(const std::filesystem::path& file);

// What the window is asked for settings, shots and presets (app/ui/ask.h). They throw std::runtime_error.
void saveSettings(Session& session, const std::filesystem::path& asked);
void deletePreset(Session& session, const std::filesystem::path& path);
void useLens(Session& session, const std::string& name);
void saveShot(Session& session, const std::filesystem::path& path);
// `text`: settings as JSON, or a command line.
void pasteSettings(Session& session, const std::string& text);
void pasteLook(Session& session, const std::string& text);

bool isOwnPreset(const Session& session, const std::filesystem::path& path);

// The settings with the fields of `to` that differ from `from`.
Settings withEdit(Settings settings, const Settings& from, const Settings& to);

// The window keeps its own size, full screen and panels.
void useSettings(Session& session, const Settings& settings, const std::string& notice);

// Says `what` of a file, if writeInTime() has written it; else that it is still being written.
void tellWritten(Session& session, const std::filesystem::path& asked,
                 const std::optional<std::filesystem::path>& written, const std::string& what = "");

// What rememberFiles() needs of the image that is shown.
RecentImage shownImage(const Session& session);
// Puts the files first in the list of recent ones.
void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files);
// The image with its depth read as it was before; one of the depth command, as the last of those. Unchanged if it is new.
ImageSettings readAsBefore(const ImageSettings& image, const std::vector<RecentImage>& recent);

// The photographs as they were left in a strip, and whether the one shown last had its own look.
PhotoStrip stripOf(const std::vector<std::filesystem::path>& photos, const std::vector<RecentImage>& recent);
// The strip of the last window, as far as its files are there; none if `shown` is not in it.
PhotoStrip stripBefore(const std::vector<std::string>& files, const FilePath& shown,
                       const std::vector<RecentImage>& recent);
// Gives settings that show a photograph its depth, focus and look as they were left.
void restoreLeft(Settings& settings, const Settings& left, bool ownLook);

}  // namespace satdof
