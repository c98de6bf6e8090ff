#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/session.h"

namespace satdof {

class Opening;

// An edit of the session by what files hold. Made on another thread: owns what it uses.
using SessionEdit = std::function<void(Session&, Opening&)>;

// Reads settings, a shot or, if `own`, an own preset. Throws UsageError.
SessionEdit settingsEdit(const std::filesystem::path& path, const Settings& current, bool own);
// Reads a shot. The edit opens the timeline. Throws UsageError.
SessionEdit shotEdit(const std::filesystem::path& file);

// Requests of keys and panels (app/ui/command.h). They throw std::runtime_error.
void saveSettings(Session& session, const std::filesystem::path& asked);
void deletePreset(Session& session, const std::filesystem::path& path);
void useLens(Session& session, const std::string& name);
void saveShot(Session& session, const std::filesystem::path& path);
// `text`: settings as JSON, or a command line.
void pasteSettings(Session& session, const std::string& text);
void pasteLook(Session& session, const std::string& text);

// Whether the file is in Session::ownPresets.
bool isOwnPreset(const Session& session, const std::filesystem::path& path);

// Returns the settings with the fields of `to` that differ from `from`.
Settings withEdit(Settings settings, const Settings& from, const Settings& to);

// Replaces the settings of the session, but for size, full screen, vertical sync and hidden panels, and says `notice`.
void useSettings(Session& session, const Settings& settings, const std::string& notice);

// Says that writeWithTimeout() has written a file, as Session::saySaved() does with `what`, or if `written` is empty that
// it is still being written.
void tellWritten(Session& session, const std::filesystem::path& asked,
                 const std::optional<std::filesystem::path>& written, const std::string& what = "");

// The image that is shown, for the list of recent images.
RecentImage shownImage(const Session& session);
// Moves the files to the front of the list of recent images.
void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files);
// Returns the image with the reading of its depth that was used last; for a new estimate of the depth command, the
// reading of the last estimate. Unchanged if the image is new.
ImageSettings withRememberedReading(const ImageSettings& image, const std::vector<RecentImage>& recent);

// The strip of these photographs, each with its remembered settings. Photographs have looks of their own if the one shown last had.
PhotoStrip stripOf(const std::vector<std::filesystem::path>& photos, const std::vector<RecentImage>& recent);
// The strip of the last window, without missing files; empty if `shown` is not part of it.
PhotoStrip lastStrip(const std::vector<std::string>& files, const FilePath& shown,
                     const std::vector<RecentImage>& recent);
// Gives settings that show a photograph the depth, focus and, if `ownLook`, the look of `left`.
void restoreLeft(Settings& settings, const Settings& left, bool ownLook);

}  // namespace satdof
