#include "app/run/remembered.h"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "app/core/field_json.h"
#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/scene/image/depth_map.h"
#include "app/ui/edit.h"

namespace satdof {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char *kSettingsFile = "settings.json", *kPreferencesFile = "interface.json", *kShotFile = "shot.json";
constexpr size_t kMostStateBytes = size_t{1} << 24, kMostUndoBytes = size_t{1} << 22;
constexpr int kMostDepth = 32;  // of nested values: the parser is recursive
constexpr int kMostCopies = 9;  // of damaged files; the last one is replaced
constexpr std::array kLeftLens = {"focusDistanceM", "focalLengthMm", "sensorHeightMm"};

// Whether there is no such file. False for a loop of links or an unreadable folder: reading the file reports those.
bool isMissing(const fs::path& path) {
  std::error_code unknown;
  return fs::status(path, unknown).type() == fs::file_type::not_found;
}

Json parsed(const std::string& text, const fs::path& path) {
  if (!json::isShallow(text, kMostDepth)) throw std::runtime_error(pathText(path) + " is damaged");
  return Json::parse(text);
}

bool sameBytes(const fs::path& a, const fs::path& b) {
  try {
    return readWholeFile(a, kMostStateBytes) == readWholeFile(b, kMostStateBytes);
  } catch (const std::runtime_error&) {
    return false;
  }
}

// Copies a damaged file to PATH.bad, or to PATH.2.bad and so on if that holds another copy. Returns the end of a
// message, "; the file is kept as ...", or an empty string if copying fails.
std::string copyBeside(const fs::path& path, const char* extension = ".bad") {
  fs::path copy = path;
  copy += extension;
  for (int number = 2; number <= kMostCopies && !isMissing(copy) && !sameBytes(path, copy); ++number) {
    copy = path;
    copy += '.';
    copy += std::to_string(number);
    copy += extension;
  }
  std::error_code failed;
  fs::copy_file(path, copy, fs::copy_options::overwrite_existing, failed);
  return failed ? "" : "; the file is kept as " + pathText(copy);
}

// Calls change(text) for a string, or each string of a vector.
template <class T, class Change>
void forEachText(T& value, const Change& change) {
  if constexpr (std::is_same_v<T, std::string>)
    change(value);
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    for (std::string& text : value) change(text);
}

// Reads the values of a JSON object. A value that cannot be read changes nothing; its name is appended to `damaged`.
class Values {
 public:
  // Throws std::runtime_error if `json` is no object.
  Values(const Json& json, std::vector<std::string>& damaged, std::string scope = "")
      : json_(json), damaged_(damaged), scope_(std::move(scope)) {
    if (!json.is_object()) throw std::runtime_error("a value is no object");
  }

  // Calls use(value) if the object has the key.
  template <class Use>
  void read(const char* key, const Use& use) const {
    const auto value = json_.find(key);
    if (value != json_.end()) tryTo(key, [&] { use(*value); });
  }
  template <class T>
  void get(const char* key, T& value) const {
    read(key, [&](const Json& json) {
      T found = json.get<T>();
      forEachText(found, [](std::string& text) { text = fromJsonText(text); });
      value = std::move(found);
    });
  }
  template <class T>
  void get(const char* key, T& value, double low, double high) const {
    read(key, [&](const Json& json) {
      if (!json.is_number()) throw std::runtime_error("a value is no number");
      value = static_cast<T>(std::clamp(json.get<double>(), low, high));
    });
  }
  // Calls use(i, element i) for the elements of an array.
  template <class Use>
  void each(const char* key, const Use& use) const {
    read(key, [&](const Json& array) {
      if (!array.is_array()) throw std::runtime_error("a value is no array");
      for (std::size_t i = 0; i < array.size(); ++i)
        tryTo(std::string(key) + '[' + std::to_string(i) + ']', [&] { use(i, array[i]); });
    });
  }
  // Calls use(values) for a nested object.
  void within(const char* key, const std::function<void(const Values&)>& use) const {
    read(key, [&](const Json& json) { use(Values(json, damaged_, scope_ + key + '.')); });
  }

 private:
  template <class Do>
  void tryTo(const std::string& name, const Do& act) const {
    try {
      act();
    } catch (const Json::exception&) {
      damaged_.push_back(scope_ + name);
    } catch (const std::runtime_error&) {
      damaged_.push_back(scope_ + name);
    }
  }

  const Json& json_;
  std::vector<std::string>& damaged_;
  std::string scope_;
};

// Calls visit(key, value) or visit(key, value, least, most) for each value that JSON holds as it is. `Group`:
// Preferences or CaptureSettings, which may be const.
template <class Visit, class Group>
void visitPlain(Group& group, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Group>, CaptureSettings>) {
    visit("quality", group.quality, 1, 100);
    visit("windowSize", group.windowSize);
    visit("width", group.size.x, 1, 16384);
    visit("height", group.size.y, 1, 16384);
    visit("withUi", group.withUi);
    visit("sequenceFrames", group.sequenceFrames, 1, 1000000);
    visit("framesPerSecond", group.framesPerSecond, 1, 1000);
    visit("shutterAngle", group.shutter.angleDegrees, 0, 360);
    visit("shutterSamples", group.shutter.samples, 1, Shutter::kMostSamples);
    visit("video", group.video);
    visit("name", group.name);
    visit("folder", group.folder);
  } else {
    visit("panelWidth", group.panelWidth, Preferences::kNarrowestPanel, Preferences::kWidestPanel);
    visit("uiScale", group.uiScale, Preferences::kSmallestUiScale, Preferences::kLargestUiScale);
    visit("hintSeen", group.hintSeen);
    visit("depthCommand", group.depthCommand);
    visit("crashTold", group.crashTold);
    visit("typed", group.typed);
    visit("strip", group.strip);
    visit("openSections", group.openSections);
    visit("pullS", group.pullS, 0.1, 20);
    visit("readyS", group.ready.lengthS, 0.04, 3600);
    visit("turnDegrees", group.ready.turnDegrees, -3600, 3600);
    visit("pullToM", group.ready.pullToM, 0, 200);
    visit("dollyFactor", group.ready.dollyFactor, 0.1, 10);
  }
}

template <class Group>
Json plainJson(const Group& group) {
  Json json;
  visitPlain(group, [&](const char* key, auto value, auto...) {
    forEachText(value, [](std::string& text) { text = toJsonText(text); });
    json[key] = value;
  });
  return json;
}

template <class Group>
void readPlain(Group& group, const Values& values) {
  visitPlain(group, [&](const char* key, auto& value, auto... range) { values.get(key, value, range...); });
}

void readCapture(CaptureSettings& capture, const Values& values) {
  readPlain(capture, values);
  values.read("format", [&](const Json& name) {
    if (name.is_string()) capture.format = captureChoice(name.get<std::string>()).choice->name;
  });
  values.read("keepMetadata", [&](const Json& name) { json::read({}, name.get<std::string>(), capture.keep); });
  values.read("videoFormat", [&](const Json& json) {
    for (const std::string_view extension : kVideoOutputs)
      if (json == extension.substr(1)) capture.videoFormat = extension;
  });
  if (capture.name == "satdof") capture.name.clear();  // the default of scenes
}

Json jsonOf(const Settings& settings) { return Json::parse(settingsToJson(settings)); }
Json jsonOf(const Shot& shot) { return shot == Shot{} ? Json() : Json::parse(shotToJson(shot)); }

// The remembered camera and lens of a scene, in the form of settings.
Json leftSceneJson(const LeftScene& scene) {
  Settings settings;
  applyFraming(settings, scene.framing);
  settings.scene.frame = scene.frame;
  const Json all = jsonOf(settings);
  Json json{{"camera", all.at("camera")},
            {"scene", {{"frame", scene.frame}}},
            {"present", {{"exposureStops", all.at("present").at("exposureStops")}}}};
  for (const char* field : kLeftLens) json["lens"][field] = all.at("lens").at(field);
  return json;
}

LeftScene leftSceneOf(const Json& json) {
  Settings settings;
  applySettingsJson(settings, json.dump(), "left scene");
  return leftScene(settings);
}

// A recent image in the form of ImageSettings: its files, and fields that differ from the defaults.
Json recentJson(const RecentImage& recent) {
  static const Json plain = jsonOf(Settings()).at("scene").at("image");
  Json json = {{"file", recent.file.text}, {"depth", recent.depth.text}};
  if (recent.left) {
    json["look"] = Json::parse(lookToJson(*recent.left));
    json["look"]["lens"]["focusDistanceM"] = recent.left->lens.focusDistanceM;
  }
  if (recent.reading == DepthReading()) return json;
  Settings settings;
  settings.scene.image = withReading({}, recent.reading);
  const Json own = jsonOf(settings).at("scene").at("image");
  for (const auto& [key, value] : own.items())
    if (value != plain.at(key)) json[key] = value;
  return json;
}

RecentImage recentOf(Json json) {
  std::optional<Settings> left;
  if (const auto look = json.find("look"); look != json.end()) {
    applySettingsJson(left.emplace(), look->dump(), "recent image");
    json.erase(look);
  }
  Settings settings;
  applySettingsJson(settings, Json{{"scene", {{"image", json}}}}.dump(), "recent image");
  const ImageSettings& image = settings.scene.image;
  return {image.file, image.depth, image, left};
}

void readPreferences(Preferences& preferences, const Values& values) {
  readPlain(preferences, values);
  values.within("capture", [&](const Values& capture) { readCapture(preferences.capture, capture); });
  values.each("bookmarks", [&](std::size_t i, const Json& bookmark) {
    if (i >= preferences.bookmarks.size() || bookmark.is_null()) return;
    Settings settings;
    applySettingsJson(settings, Json{{"camera", bookmark}}.dump(), "bookmark");
    preferences.bookmarks[i] = settings.camera;
  });
  values.each("focusMarks", [&](std::size_t i, const Json& mark) {
    constexpr Field kFocus = fieldOf("lens.focusDistanceM");
    if (i < preferences.focusMarks.size() && !mark.is_null())
      preferences.focusMarks[i] = static_cast<float>(std::clamp(mark.get<double>(), kFocus.min, kFocus.max));
  });
  values.each("recentImages", [&](std::size_t, const Json& recent) {
    if (preferences.recentImages.size() == Preferences::kRecentImages) return;
    preferences.recentImages.push_back(recentOf(recent));
  });
  values.read("film", [&](const Json& film) { preferences.film = recentOf(film); });
  values.within("scenes", [&](const Values& scenes) {
    for (const auto& entry : entries(SceneKind{}))
      scenes.read(entry.name, [&](const Json& scene) { preferences.leftScenes[entry.value] = leftSceneOf(scene); });
  });
  values.read("preset", [&](const Json& preset) {
    ChosenPreset chosen{preset.at("name").get<std::string>(), {}};
    applySettingsJson(chosen.settings, preset.at("settings").dump(), "preset");
    preferences.preset = std::move(chosen);
  });
}

Json preferencesJson(const Preferences& preferences) {
  const CaptureSettings& capture = preferences.capture;
  Json json = plainJson(preferences);
  json["capture"] = plainJson(capture);
  json["capture"].update({{"format", capture.format},
                          {"keepMetadata", name(capture.keep)},
                          {"videoFormat", capture.videoFormat.substr(1)}});
  json["scenes"] = Json::object();
  for (const char* const list : {"focusMarks", "recentImages", "bookmarks"}) json[list] = Json::array();
  for (const RecentImage& recent : preferences.recentImages) json["recentImages"].push_back(recentJson(recent));
  if (preferences.film) json["film"] = recentJson(*preferences.film);
  for (const auto& [kind, scene] : preferences.leftScenes) json["scenes"][name(kind)] = leftSceneJson(scene);
  for (const auto& mark : preferences.focusMarks) json["focusMarks"].push_back(mark ? Json(*mark) : Json());
  for (const auto& bookmark : preferences.bookmarks) {
    Settings settings;
    if (bookmark) settings.camera = *bookmark;
    json["bookmarks"].push_back(bookmark ? jsonOf(settings).at("camera") : Json());
  }
  if (const auto& preset = preferences.preset)
    json["preset"] = {{"name", preset->name}, {"settings", jsonOf(preset->settings)}};
  return json;
}

// Three-way merge: returns `file` with the changes from `before` to `own`. Objects merge key by key, unless their
// files, depth or settings differ: then `own` replaces them, because their values belong together.
Json merged(const Json& own, const Json& before, const Json& file) {
  if (own == before) return file;
  if (!own.is_object() || !before.is_object() || !file.is_object()) return own;
  for (const char* const key : {"file", "depth", "settings"})
    if (own.value(key, Json()) != file.value(key, Json())) return own;
  Json all = file;
  for (const auto& [key, value] : own.items())
    if (const Json was = before.value(key, Json()); value != was)
      all[key] = merged(value, was, file.value(key, Json()));
  for (const auto& each : before.items())
    if (!own.contains(each.key())) all.erase(each.key());
  return all;
}

// merged() for arrays with a fixed number of slots.
Json mergedSlots(const Json& own, const Json& before, Json file) {
  if (!file.is_array()) return own;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != before[i]) file[i] = own[i];
  return file;
}

// merged() for recent images, newest first. Those that this window has shown since come first; the others are as in
// `file`.
Json mergedRecent(const Json& own, const Json& before, const Json& file) {
  if (!file.is_array()) return own;
  const auto filesOf = [](const Json& image) {
    return image.is_object() ? Json{image.value("file", Json()), image.value("depth", Json())} : Json();
  };
  const auto in = [&](const Json& list, const Json& image) { return std::ranges::find(list, filesOf(image), filesOf); };
  std::size_t shown = own.size();
  for (std::size_t left = before.size(); shown > 0; --shown) {
    while (left > 0 && before[left - 1] != own[shown - 1]) --left;
    if (left == 0) break;
    --left;
  }
  Json all = Json::array();
  for (std::size_t i = 0; i < shown; ++i) {
    const auto was = in(before, own[i]), found = in(file, own[i]);
    all.push_back(found == file.end() ? own[i] : merged(own[i], was == before.end() ? Json::object() : *was, *found));
  }
  for (const Json& image : file) {
    const bool removed = in(before, image) != before.end() && in(own, image) == own.end();
    if (all.size() < Preferences::kRecentImages && !removed && in(all, image) == all.end()) all.push_back(image);
  }
  return all;
}

// merged() with the file at `path`.
Json merged(const Preferences& own, const Preferences& before, const fs::path& path) {
  Json json = preferencesJson(own);
  const Json was = preferencesJson(before);
  try {
    const Json file = parsed(readWholeFile(path, kMostStateBytes), path);
    if (!file.is_object()) return json;
    Json all = merged(json, was, file);
    for (const char* const slots : {"bookmarks", "focusMarks"})
      all[slots] = mergedSlots(json.at(slots), was.at(slots), file.value(slots, Json()));
    constexpr const char* kRecent = "recentImages";
    all[kRecent] = mergedRecent(json.at(kRecent), was.at(kRecent), file.value(kRecent, Json()));
    return all;
  } catch (const Json::exception&) {     // a damaged file is replaced
  } catch (const std::runtime_error&) {  // no file, or one that writing reports
  }
  return json;
}

Settings merged(const Settings& own, const Settings& before, const fs::path& path) {
  Settings all;
  try {
    applyReadableSettings(all, readSettingsText(path), path.string());
  } catch (const std::runtime_error&) {  // no file, or one that writing reports
    return own;
  }
  applySettingsJson(all, merged(jsonOf(own), jsonOf(before), jsonOf(all)).dump(), path.string());
  return all;
}

// The shot of a file; empty if there is none or it cannot be read.
Shot shotIn(const fs::path& path) try {
  Notes notes;
  return readShot(path, notes);
} catch (const std::runtime_error&) {
  return {};
}

// Applies a patch of Json::diff(). Throws std::runtime_error for "copy" and "move", with which a damaged file could
// double its values with each change.
Json patched(const Json& json, const Json& changes) {
  constexpr std::array kKinds = {"add", "remove", "replace"};
  for (const Json& change : changes)
    if (std::ranges::find(kKinds, change.at("op")) == kKinds.end())
      throw std::runtime_error("a change of another kind");
  return json.patch(changes);
}

std::string compactText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A step of undo.json. `settings`, `shot`: patches from the step before.
Json stepJson(const UndoStep& step, const Json& settings, const Json& shot) {
  return {{"settings", settings}, {"shot", shot}, {"time", step.shotTimeS}, {"action", step.action}};
}

// Writes a file, unless it holds these bytes already. Creates the folder.
void save(const fs::path& folder, const char* name, const std::string& bytes) {
  const fs::path path = folder / name;
  try {
    if (readFileHead(path, bytes.size() + 1) == bytes) return;
  } catch (const std::runtime_error&) {  // no file, or one that writing reports
  }
  createFolders(folder);
  writeWholeFile(path, bytes);
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
  std::vector<std::string> damaged;
  try {
    const Json json = parsed(readWholeFile(path, kMostStateBytes), path);
    if (!json.is_object()) throw std::runtime_error(pathText(path) + " is damaged");
    readPreferences(found.value, Values(json, damaged));
    for (const std::string& name : damaged)
      found.problem += (found.problem.empty() ? pathText(path) + ": not readable, so left out: " : ", ") + name;
  } catch (const Json::exception&) {
    found.problem = pathText(path) + " is damaged: panels, bookmarks and recent files have their defaults";
  } catch (const std::runtime_error& error) {
    found.problem = std::string(error.what()) + ": panels, bookmarks and recent files have their defaults";
  }
  if (!found.problem.empty()) found.problem += copyBeside(path);
  return found;
}

void rememberPreferences(const fs::path& folder, const Preferences& preferences,
                         const std::optional<Preferences>& before) {
  const Json json = before ? merged(preferences, *before, folder / kPreferencesFile) : preferencesJson(preferences);
  save(folder, kPreferencesFile, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<fs::path> ownPresets(const fs::path& folder) {
  std::vector<fs::path> found;
  for (fs::path& path : entriesOf(folder / "presets"))
    if (path.extension() == ".json") found.push_back(std::move(path));
  std::ranges::sort(found);
  return found;
}

void rememberSettings(const fs::path& folder, const Settings& settings, const std::optional<Settings>& before) {
  if (settings == before && !isMissing(folder / kSettingsFile)) return;
  save(folder, kSettingsFile, settingsToJson(before ? merged(settings, *before, folder / kSettingsFile) : settings));
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
  const Shot found = shotIn(folder / kShotFile);
  const bool others = before && found != *before && found != shot && found != Shot{};
  std::string problem =
      others ? "another window has changed the shot, too" + copyBeside(folder / kShotFile, ".other.json") : "";
  if (shot == Shot{}) {
    std::error_code unknown;
    fs::remove(folder / kShotFile, unknown);
  } else {
    save(folder, kShotFile, shotToJson(shot));
  }
  return problem;
}

std::vector<UndoStep> UndoFile::read() const try {
  const Json json = parsed(readWholeFile(path_, kMostUndoBytes), path_);
  Json settings = json.at("settings"), shot = json.at("shot");
  std::vector<UndoStep> steps;
  std::shared_ptr<const Shot> last;
  if (json.at("steps").size() > History::kMaxSteps + 1) return {};
  for (const Json& step : json.at("steps")) {
    UndoStep read{.shotTimeS = step.at("time").get<double>(), .action = step.at("action").get<std::string>()};
    settings = patched(settings, step.at("settings"));
    applySettingsJson(read.settings, settings.dump(), path_.string());
    if (const Json& difference = step.at("shot"); !last || !difference.empty()) {
      shot = patched(shot, difference);
      Notes notes;
      last = std::make_shared<const Shot>(shot.is_null() ? Shot{} : shotFromJson(shot.dump(), path_.string(), notes));
    }
    read.shot = last;
    steps.push_back(std::move(read));
  }
  return steps;
} catch (const Json::exception&) {
  return {};
} catch (const std::runtime_error&) {
  return {};
}

bool UndoFile::write(const std::vector<UndoStep>& steps) {
  const auto isWritten = [](const UndoStep& step, const Written& written) { return step == written.step; };
  if (std::ranges::equal(steps, written_, isWritten) && (!fits_ || !isMissing(path_))) return fits_;
  std::vector<Written> next;
  for (std::size_t i = 0; i < steps.size(); ++i) next.push_back(difference(steps[i == 0 ? 0 : i - 1], steps[i]));
  written_ = std::move(next);
  std::size_t from = written_.size(), bytes = 0;
  while (from > 0 && bytes + written_[from - 1].difference.size() < kMostUndoBytes / 2)
    bytes += written_[--from].difference.size() + 1;
  const std::string first = from == written_.size() ? std::string() : compactText(jsonOf(*written_[from].step.shot));
  fits_ = from < written_.size() && first.size() <= kMostUndoBytes / 4;
  if (!fits_) {
    std::error_code unknown;
    fs::remove(path_, unknown);
    return false;
  }
  const UndoStep& start = written_[from].step;
  std::string file = R"({"settings":)" + compactText(jsonOf(start.settings)) + R"(,"shot":)" + first + R"(,"steps":[)" +
                     compactText(stepJson(start, Json::array(), Json::array()));
  for (std::size_t i = from + 1; i < written_.size(); ++i) file += ',' + written_[i].difference;
  save(path_.parent_path(), path_.filename().c_str(), file + "]}");
  return true;
}

UndoFile::Written UndoFile::difference(const UndoStep& before, const UndoStep& step) const {
  for (std::size_t known = 1; known < written_.size(); ++known)
    if (written_[known].step == step && written_[known - 1].step == before) return written_[known];
  const bool sameShot = step.shot == before.shot;
  return {step, compactText(stepJson(step, Json::diff(jsonOf(before.settings), jsonOf(step.settings)),
                                     sameShot ? Json::array() : Json::diff(jsonOf(*before.shot), jsonOf(*step.shot))))};
}

}  // namespace satdof
