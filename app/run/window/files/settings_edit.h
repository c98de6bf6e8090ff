#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "app/ui/session.h"

// Edits of the session by files of settings and shots, and by the clipboard.
namespace satdof {

class Opening;

// An edit of the session by what files hold. Made on another thread: owns what it uses.
using SessionEdit = std::function<void(Session&, Opening&)>;

// Reads settings, a shot or, if `own`, an own preset. Throws UsageError.
SessionEdit settingsEdit(const std::filesystem::path& path, const Settings& current, bool own);
// Reads a shot. The edit opens the timeline. Throws UsageError.
SessionEdit shotEdit(const std::filesystem::path& file);

// `text`: settings as JSON, or a command line, see settingsFromText(). The edits replace the settings or the look.
// Throw UsageError.
SessionEdit pastedSettings(const std::string& text, const Settings& current);
SessionEdit pastedLook(const std::string& text, const Settings& current);

// Requests of keys and panels (app/ui/command.h). They throw std::runtime_error.
void useLens(Session& session, const std::string& name);

// Whether the file is in Session::ownPresets.
bool isOwnPreset(const Session& session, const std::filesystem::path& path);
// Chooses the own preset, if the file of the settings is one.
void chooseOwnPreset(Session& session, const std::filesystem::path& path);

// Returns the settings with the fields of `to` that differ from `from`.
Settings withEdit(Settings settings, const Settings& from, const Settings& to);

// Replaces the settings of the session, but for size, full screen, vertical sync and hidden panels, and says `notice`.
void useSettings(Session& session, const Settings& settings, const std::string& notice);

}  // namespace satdof
