#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/ui/preferences.h"

// Files in the config folder that remember settings, preferences and shot of the last window. Several windows may share
// them: a function that writes gets `before`, the value that its window has read or written last, and changes only what
// differs from it.
namespace satdof {

// $XDG_CONFIG_HOME/satdof, or satdof under ~/.config, where ~ is $HOME or else the home of the user's account.
// Relative folders are ignored. Empty if there is none: then nothing is remembered.
std::filesystem::path configFolder();

template <class T>
struct Remembered {
  T value;
  std::string problem;  // what could not be read, and where a copy of the file is kept; empty: nothing
};

// Reads settings.json in `folder`. Missing values, and values that cannot be read, are defaults. A file with errors is
// copied to settings.json.bad. Throws nothing for a folder or file that cannot be read.
Remembered<Settings> rememberedSettings(const std::filesystem::path& folder);
// Writes settings.json; creates `folder`. Throws std::runtime_error on failure.
void rememberSettings(const std::filesystem::path& folder, const Settings& settings,
                      const std::optional<Settings>& before = {});

// Reads interface.json like rememberedSettings().
Remembered<Preferences> rememberedPreferences(const std::filesystem::path& folder);
// Writes interface.json; creates `folder`. Throws std::runtime_error on failure.
void rememberPreferences(const std::filesystem::path& folder, const Preferences& preferences,
                         const std::optional<Preferences>& before = {});

// The settings files in `folder`/presets, sorted by name; none if it cannot be read.
std::vector<std::filesystem::path> ownPresets(const std::filesystem::path& folder);

// Reads shot.json in `folder`; an empty shot if it is missing. A file that cannot be read is copied to shot.json.bad.
Remembered<Shot> rememberedShot(const std::filesystem::path& folder);
// Writes shot.json; removes it for an empty shot. If another window has written another shot since, copies that to
// shot.json.other.json and returns a message. Throws std::runtime_error on failure.
std::string rememberShot(const std::filesystem::path& folder, const Shot& shot, const std::optional<Shot>& before = {});

}  // namespace satdof
