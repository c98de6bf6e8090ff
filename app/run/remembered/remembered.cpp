#include "app/run/remembered/remembered.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/run/remembered/json_merge.h"
#include "app/run/remembered/preferences_json.h"
#include "app/run/remembered/state_file.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr const char *kSettingsFile = "settings.json", *kPreferencesFile = "interface.json", *kShotFile = "shot.json";
constexpr int kMaxCopies = 9;  // of damaged files; the last one is replaced

bool sameBytes(const fs::path& a, const fs::path& b) {
  try {
    return readWholeFile(a, kMaxStateBytes) == readWholeFile(b, kMaxStateBytes);
  } catch (const std::runtime_error&) {
    return false;
  }
}

// Copies a damaged file to PATH.bad, or to PATH.2.bad and so on if that holds another copy. Returns the end of a
// message, "; the file is kept as ...", or an empty string if copying fails.
std::string copyBeside(const fs::path& path, const char* extension = ".bad") {
  fs::path copy = path;
  copy += extension;
  for (int number = 2; number <= kMaxCopies && !isMissing(copy) && !sameBytes(path, copy); ++number) {
    copy = path;
    copy += '.';
    copy += std::to_string(number);
    copy += extension;
  }
  std::error_code failed;
  fs::copy_file(path, copy, fs::copy_options::overwrite_existing, failed);
  return failed ? "" : "; the file is kept as " + pathText(copy);
}

// The shot of a file; empty if there is none or it cannot be read.
Shot shotIn(const fs::path& path) try {
  Notes notes;
  return readShot(path, notes);
} catch (const std::runtime_error&) {
  return {};
}

// `own` merged with the file at `path`; a file that is missing or damaged is replaced.
StateJson mergedWith(const fs::path& path, const StateJson& own, const StateJson& before) {
  try {
    return mergedPreferences(own, before, readStateFile(path));
  } catch (const std::runtime_error&) {  // writing reports a file that cannot be read
    return own;
  }
}

Settings mergedWith(const fs::path& path, const Settings& own, const Settings& before) {
  Settings all;
  try {
    applyReadableSettings(all, readSettingsText(path), path.string());
  } catch (const std::runtime_error&) {  // no file, or one that writing reports
    return own;
  }
  applySettingsJson(all, merged(jsonOf(own), jsonOf(before), jsonOf(all)).dump(), path.string());
  return all;
}

}  // namespace

fs::path configFolder() {
  const fs::path folder = userConfigFolder();
  return folder.empty() ? fs::path() : folder / "satdof";
}

Remembered<Settings> rememberedSettings(const fs::path& folder) {
  Remembered<Settings> found;
  const fs::path path = folder / kSettingsFile;
  if (isMissing(path)) return found;
  try {
    for (const auto& problem : applyReadableSettings(found.value, readSettingsText(path), path.string()))
      found.problem += (found.problem.empty() ? "" : "\n") + problem;
  } catch (const std::runtime_error& error) {
    found.problem = error.what();
  }
  if (found.problem.empty()) return found;
  found.problem += copyBeside(path);
  return found;
}

Remembered<Preferences> rememberedPreferences(const fs::path& folder) {
  Remembered<Preferences> found;
  const fs::path path = folder / kPreferencesFile;
  if (isMissing(path)) return found;
  try {
    const StateJson json = readStateFile(path);
    if (!json.is_object()) throw std::runtime_error(pathText(path) + " is damaged");
    for (const std::string& name : readPreferences(found.value, json))
      found.problem += (found.problem.empty() ? pathText(path) + ": not readable, so left out: " : ", ") + name;
  } catch (const std::runtime_error& error) {
    found.problem = std::string(error.what()) + ": panels, bookmarks and recent files have their defaults";
  }
  if (!found.problem.empty()) found.problem += copyBeside(path);
  return found;
}

void rememberPreferences(const fs::path& folder, const Preferences& preferences,
                         const std::optional<Preferences>& before) {
  const fs::path path = folder / kPreferencesFile;
  StateJson json = preferencesJson(preferences);
  if (before) json = mergedWith(path, json, preferencesJson(*before));
  writeStateFile(path, json.dump(2, ' ', false, StateJson::error_handler_t::replace) + "\n");
}

std::vector<fs::path> ownPresets(const fs::path& folder) {
  std::vector<fs::path> found;
  for (fs::path& path : entriesOf(folder / "presets"))
    if (path.extension() == ".json") found.push_back(std::move(path));
  std::ranges::sort(found);
  return found;
}

void rememberSettings(const fs::path& folder, const Settings& settings, const std::optional<Settings>& before) {
  const fs::path path = folder / kSettingsFile;
  if (settings == before && !isMissing(path)) return;
  writeStateFile(path, settingsToJson(before ? mergedWith(path, settings, *before) : settings));
}

Remembered<Shot> rememberedShot(const fs::path& folder) {
  Remembered<Shot> found;
  const fs::path path = folder / kShotFile;
  if (isMissing(path)) return found;
  try {
    Notes notes;
    found.value = readShot(path, notes);
  } catch (const std::runtime_error& error) {
    found.problem = error.what() + copyBeside(path);
  }
  return found;
}

std::string rememberShot(const fs::path& folder, const Shot& shot, const std::optional<Shot>& before) {
  if (shot == before) return {};
  const fs::path path = folder / kShotFile;
  const Shot found = shotIn(path);
  const bool others = before && found != *before && found != shot && found != Shot{};
  std::string problem = others ? "another window has changed the shot, too" + copyBeside(path, ".other.json") : "";
  if (shot == Shot{}) {
    std::error_code unknown;
    fs::remove(path, unknown);
  } else {
    writeStateFile(path, shotToJson(shot));
  }
  return problem;
}

}  // namespace satdof
