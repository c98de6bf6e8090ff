#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

// Files in the config folder that remember settings, preferences, shot and undo steps of the last window. Several
// windows may share them:
// a function that writes gets `before`, the value that its window has read or written last, and changes only what
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

// undo.json in a folder: the settings and shot of the first step, and the difference of each step from the one
// before, as JSON patches.
class UndoFile {
 public:
  explicit UndoFile(const std::filesystem::path& folder) : path_(folder / "undo.json") {}
  // The steps; none without a file that can be read.
  std::vector<UndoStep> read() const;
  // Writes as many of the last steps as fit into 2 MiB. Cost: the differences of new steps, and the bytes of all.
  // Returns whether any fits: a first shot above 1 MiB does not. Throws std::runtime_error on failure.
  bool write(const std::vector<UndoStep>& steps);

 private:
  struct Written {
    UndoStep step;
    std::string difference;  // from the step before, as JSON
  };
  // The difference of a step from the step `before`; taken from written_ if it is there.
  Written difference(const UndoStep& before, const UndoStep& step) const;

  std::filesystem::path path_;
  std::vector<Written> written_;  // steps of the last write()
  bool fits_ = false;             // what it returned
};

}  // namespace satdof
