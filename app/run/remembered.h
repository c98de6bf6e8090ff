#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

// The settings of the last window. Functions that write get the value that their window has read or written last, if it has: what
// equals it is left as another window may have written it since.
namespace satdof {

// $XDG_CONFIG_HOME/satdof, or the same folder under ~/.config, where ~ is $HOME or, without it, the home of the user's
// account. Relative folders do not count. Empty if there is none: then nothing is remembered.
std::filesystem::path configFolder();

template <class T>
struct Remembered {
  T value;
  std::string problem;  // what could not be read, and where the file is kept; empty if nothing is wrong
};

// Reads settings.json in `folder`; without a file, gives the defaults. A value that cannot be read keeps its
// default, and the file is kept as settings.json.bad. Never throws for a folder or file that cannot be read.
Remembered<Settings> rememberedSettings(const std::filesystem::path& folder);

// Reads interface.json in `folder`; without a file, gives the defaults. A value that cannot be read keeps its default, and
// the file is kept as interface.json.bad. Never throws for a folder or file that cannot be read.
Remembered<Preferences> rememberedPreferences(const std::filesystem::path& folder);
// Writes interface.json in `folder`, which is made if it is missing. Throws std::runtime_error on failure.
void rememberPreferences(const std::filesystem::path& folder, const Preferences& preferences,
                         const std::optional<Preferences>& before = {});

// Returns the settings files in `folder`/presets, by name; none if the folder cannot be read.
std::vector<std::filesystem::path> ownPresets(const std::filesystem::path& folder);

// Reads shot.json in `folder`; without a file, gives an empty shot. A file that cannot be read is kept as shot.json.bad.
Remembered<Shot> rememberedShot(const std::filesystem::path& folder);
// Writes shot.json in `folder`; removes it for an empty shot. Keeps the shot that another window has written since as
// shot.json.other.json, and tells. Throws std::runtime_error on failure.
std::string rememberShot(const std::filesystem::path& folder, const Shot& shot,
                         const std::optional<Shot>& before = {});

// undo.json in a folder. It holds one step, and of each later one what differs from the step before.
class UndoFile {
 public:
  explicit UndoFile(const std::filesystem::path& folder) : path_(folder / "undo.json") {}
  // Without a file that can be read, there are no steps.
  std::vector<UndoStep> read() const;
  // Writes of the last steps as many as fit. Costs two steps and the bytes of the others, if these were written before. Returns whether
  // any fits: no step holds a shot above 1 MiB. Throws std::runtime_error on failure.
  bool write(const std::vector<UndoStep>& steps);

 private:
  struct Written {
    UndoStep step;
    std::string difference;  // JSON
  };
  std::filesystem::path path_;
  std::vector<Written> written_;
};

// Writes settings.json in `folder`, which is made if it is missing. Throws std::runtime_error on failure.
void rememberSettings(const std::filesystem::path& folder, const Settings& settings,
                      const std::optional<Settings>& before = {});

}  // namespace satdof
