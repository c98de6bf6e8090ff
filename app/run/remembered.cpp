#include "app/run/remembered.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/platform.h"
#include "app/core/settings_json.h"
#include "app/io/settings_file.h"

namespace satdof {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr int kMostDepth = 32;  // functions of the library call themselves for each level
constexpr int kMostKept = 9;    // damaged files; the last is replaced
constexpr int kLastFormat = static_cast<int>(CaptureFormat::exr32);

// A loop of links or a folder that may not be read is not missing: reading says why.
bool missing(const fs::path& path) {
  std::error_code unknown;
  return fs::status(path, unknown).type() == fs::file_type::not_found;
}

Json parsed(const std::string& text, const fs::path& path) {
  return Json::parse(text, [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > kMostDepth) throw std::runtime_error(path.string() + " is damaged");
    return true;
  });
}

bool sameBytes(const fs::path& a, const fs::path& b) {
  try {
    return readWholeFile(a, kMostBytes) == readWholeFile(b, kMostBytes);
  } catch (const std::runtime_error&) {
    return false;
  }
}

// Copies a file that cannot be read beside it, to .bad, .2.bad and so on: an earlier one stays. Returns where, in words, or
// nothing if that fails.
std::string kept(const fs::path& path) {
  fs::path copy = path;
  copy += ".bad";
  for (int number = 2; number <= kMostKept && !missing(copy) && !sameBytes(path, copy); ++number) {
    copy = path;
    copy += '.';
    copy += std::to_string(number);
    copy += ".bad";
  }
  std::error_code failed;
  fs::copy_file(path, copy, fs::copy_options::overwrite_existing, failed);
  return failed ? "" : "; the file is kept as " + copy.string();
}

}  // namespace

fs::path configFolder() {
  const fs::path folder = userConfigFolder();
  return folder.empty() ? fs::path() : folder / "satdof";
}

Remembered rememberedSettings(const fs::path& folder) {
  Remembered found;
  const fs::path path = folder / "settings.json";
  if (missing(path)) return found;
  try {
    for (const auto& problem : applyReadableSettings(found.settings, readSettingsText(path), path.string()))
      found.problem += (found.problem.empty() ? "" : "\n") + problem;
  } catch (const std::runtime_error& error) {
    found.problem = error.what();
  }
  if (found.problem.empty()) return found;
  found.problem += kept(path);
  return found;
}

RememberedPreferences rememberedPreferences(const fs::path& folder) {
  RememberedPreferences found;
  const fs::path path = folder / "interface.json";
  if (missing(path)) return found;
  try {
    const Json json = parsed(readWholeFile(path, kMostBytes), path);
    Preferences read;
    read.panelWidth = json.value("panelWidth", read.panelWidth);
    read.uiScale = json.value("uiScale", read.uiScale);
    read.hintSeen = json.value("hintSeen", read.hintSeen);
    read.openSections = json.value("openSections", read.openSections);
    CaptureSettings& capture = read.capture;
    const Json captures = json.value("capture", Json::object());
    capture.format = static_cast<CaptureFormat>(std::clamp(captures.value("format", 0), 0, kLastFormat));
    capture.windowSize = captures.value("windowSize", capture.windowSize);
    capture.size.x = std::clamp(captures.value("width", capture.size.x), 1, 16384);
    capture.size.y = std::clamp(captures.value("height", capture.size.y), 1, 16384);
    capture.withUi = captures.value("withUi", capture.withUi);
    capture.sequenceFrames = std::clamp(captures.value("sequenceFrames", capture.sequenceFrames), 1, 1000000);
    capture.framesPerSecond =
        std::clamp(captures.value("framesPerSecond", capture.framesPerSecond), 1.0f, 1000.0f);
    capture.video = captures.value("video", capture.video);
    const Json bookmarks = json.value("bookmarks", Json::array());
    for (size_t i = 0; i < std::min(bookmarks.size(), read.bookmarks.size()); ++i) {
      if (bookmarks[i].is_null()) continue;
      Settings settings;
      applySettingsJson(settings, Json{{"camera", bookmarks[i]}}.dump(), "bookmark");
      read.bookmarks[i] = settings.camera;
    }
    for (const Json& recent : json.value("recentImages", Json::array())) {
      if (read.recentImages.size() == Preferences::kRecentImages) break;
      read.recentImages.push_back(
          {{recent.at("file").get<std::string>()}, {recent.at("depth").get<std::string>()}});
    }
    if (const auto preset = json.find("preset"); preset != json.end()) {
      ChosenPreset chosen{preset->at("name").get<std::string>(), {}};
      applySettingsJson(chosen.settings, preset->at("settings").dump(), "preset");
      read.preset = std::move(chosen);
    }
    found.preferences = read;
  } catch (const Json::exception&) {
    found.problem = path.string() + " is damaged";
  } catch (const std::runtime_error& error) {
    found.problem = error.what();
  }
  if (!found.problem.empty())
    found.problem += ": panels, bookmarks and recent files have their defaults" + kept(path);
  return found;
}

void rememberPreferences(const fs::path& folder, const Preferences& preferences) {
  const CaptureSettings& capture = preferences.capture;
  Json json{{"panelWidth", preferences.panelWidth},
            {"uiScale", preferences.uiScale},
            {"hintSeen", preferences.hintSeen},
            {"openSections", preferences.openSections},
            {"capture",
             {{"format", static_cast<int>(capture.format)},
              {"windowSize", capture.windowSize},
              {"width", capture.size.x},
              {"height", capture.size.y},
              {"withUi", capture.withUi},
              {"sequenceFrames", capture.sequenceFrames},
              {"framesPerSecond", capture.framesPerSecond},
              {"video", capture.video}}},
            {"recentImages", Json::array()},
            {"bookmarks", Json::array()}};
  for (const auto& [file, depth] : preferences.recentImages)
    json["recentImages"].push_back({{"file", file.text}, {"depth", depth.text}});
  for (const auto& bookmark : preferences.bookmarks) {
    Settings settings;
    if (bookmark) settings.camera = *bookmark;
    json["bookmarks"].push_back(bookmark ? Json::parse(settingsToJson(settings)).at("camera") : Json());
  }
  if (const auto& preset = preferences.preset)
    json["preset"] = {{"name", preset->name}, {"settings", Json::parse(settingsToJson(preset->settings))}};
  createFolders(folder);
  writeWholeFile(folder / "interface.json", json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<fs::path> ownPresets(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (fs::path& path : entriesOf(folder / "presets", missing))
    if (path.extension() == ".json") found.push_back(std::move(path));
  std::ranges::sort(found);
  return found;
}

void rememberSettings(const fs::path& folder, const Settings& settings) {
  createFolders(folder);
  writeWholeFile(folder / "settings.json", settingsToJson(settings));
}

}  // namespace satdof
