#include "app/run/remembered/preferences_json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/core/field_json.h"
#include "app/core/fields.h"
#include "app/core/files/video_formats.h"
#include "app/core/settings_json.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/scene/image/depth_map.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

constexpr std::array kLeftLens = {"focusDistanceM", "focalLengthMm", "sensorHeightMm"};

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
  Values(const StateJson& json, std::vector<std::string>& damaged, std::string scope = "")
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
    read(key, [&](const StateJson& json) {
      T found = json.get<T>();
      forEachText(found, [](std::string& text) { text = fromJsonText(text); });
      value = std::move(found);
    });
  }
  template <class T>
  void get(const char* key, T& value, double low, double high) const {
    read(key, [&](const StateJson& json) {
      if (!json.is_number()) throw std::runtime_error("a value is no number");
      value = static_cast<T>(std::clamp(json.get<double>(), low, high));
    });
  }
  // Calls use(i, element i) for the elements of an array.
  template <class Use>
  void each(const char* key, const Use& use) const {
    read(key, [&](const StateJson& array) {
      if (!array.is_array()) throw std::runtime_error("a value is no array");
      for (std::size_t i = 0; i < array.size(); ++i)
        tryTo(std::string(key) + '[' + std::to_string(i) + ']', [&] { use(i, array[i]); });
    });
  }
  // Calls use(values) for a nested object.
  void within(const char* key, const std::function<void(const Values&)>& use) const {
    read(key, [&](const StateJson& json) { use(Values(json, damaged_, scope_ + key + '.')); });
  }

 private:
  template <class Do>
  void tryTo(const std::string& name, const Do& act) const {
    if (!reads(act)) damaged_.push_back(scope_ + name);
  }

  const StateJson& json_;
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
    visit("shutterSamples", group.shutter.samples, 1, Shutter::kMaxSamples);
    visit("video", group.video);
    visit("name", group.name);
    visit("folder", group.folder);
  } else {
    visit("panelWidth", group.panelWidth, Preferences::kNarrowestPanel, Preferences::kWidestPanel);
    visit("uiScale", group.uiScale, Preferences::kMinUiScale, Preferences::kMaxUiScale);
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
StateJson plainJson(const Group& group) {
  StateJson json;
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
  values.read("format", [&](const StateJson& name) {
    if (name.is_string()) capture.format = captureChoice(name.get<std::string>()).choice->name;
  });
  values.read("keepMetadata", [&](const StateJson& name) { json::read({}, name.get<std::string>(), capture.keep); });
  values.read("videoFormat", [&](const StateJson& json) {
    for (const std::string_view extension : kVideoOutputs)
      if (json == extension.substr(1)) capture.videoFormat = extension;
  });
  if (capture.name == "satdof") capture.name.clear();  // the default of scenes
}

// The remembered camera and lens of a scene, in the form of settings.
StateJson leftSceneJson(const LeftScene& scene) {
  Settings settings;
  applyFraming(settings, scene.framing);
  settings.scene.frame = scene.frame;
  const StateJson all = jsonOf(settings);
  StateJson json{{"camera", all.at("camera")},
                 {"scene", {{"frame", scene.frame}}},
                 {"present", {{"exposureStops", all.at("present").at("exposureStops")}}}};
  for (const char* field : kLeftLens) json["lens"][field] = all.at("lens").at(field);
  return json;
}

LeftScene leftSceneOf(const StateJson& json) {
  Settings settings;
  applySettingsJson(settings, json.dump(), "left scene");
  return leftScene(settings);
}

// A recent image in the form of ImageSettings: its files, and fields that differ from the defaults.
StateJson recentJson(const RecentImage& recent) {
  static const StateJson plain = jsonOf(Settings()).at("scene").at("image");
  StateJson json = {{"file", recent.file.text}, {"depth", recent.depth.text}};
  if (recent.left && !recent.hasLook) json["focusDistanceM"] = recent.left->lens.focusDistanceM;
  if (recent.left && recent.hasLook) {
    json["look"] = StateJson::parse(lookToJson(*recent.left));
    json["look"]["lens"]["focusDistanceM"] = recent.left->lens.focusDistanceM;
  }
  if (recent.reading == DepthReading()) return json;
  Settings settings;
  settings.scene.image = withReading({}, recent.reading);
  const StateJson own = jsonOf(settings).at("scene").at("image");
  for (const auto& [key, value] : own.items())
    if (value != plain.at(key)) json[key] = value;
  return json;
}

RecentImage recentOf(StateJson json) {
  std::optional<Settings> left;
  if (const auto look = json.find("look"); look != json.end()) {
    applySettingsJson(left.emplace(), look->dump(), "recent image");
    json.erase(look);
  }
  const bool hasLook = left.has_value();
  if (const auto focus = json.find("focusDistanceM"); focus != json.end()) {
    applySettingsJson(left.emplace(), StateJson{{"lens", {{"focusDistanceM", *focus}}}}.dump(), "recent image");
    json.erase(focus);
  }
  Settings settings;
  applySettingsJson(settings, StateJson{{"scene", {{"image", json}}}}.dump(), "recent image");
  const ImageSettings& image = settings.scene.image;
  return {image.file, image.depth, image, left, hasLook};
}

}  // namespace

std::vector<std::string> readPreferences(Preferences& preferences, const StateJson& json) {
  std::vector<std::string> damaged;
  const Values values(json, damaged);
  readPlain(preferences, values);
  values.within("capture", [&](const Values& capture) { readCapture(preferences.capture, capture); });
  values.each("bookmarks", [&](std::size_t i, const StateJson& bookmark) {
    if (i >= preferences.bookmarks.size() || bookmark.is_null()) return;
    Settings settings;
    applySettingsJson(settings, StateJson{{"camera", bookmark}}.dump(), "bookmark");
    preferences.bookmarks[i] = settings.camera;
  });
  values.each("focusMarks", [&](std::size_t i, const StateJson& mark) {
    constexpr Field kFocus = fieldOf("lens.focusDistanceM");
    if (i < preferences.focusMarks.size() && !mark.is_null())
      preferences.focusMarks[i] = static_cast<float>(std::clamp(mark.get<double>(), kFocus.min, kFocus.max));
  });
  values.each("recentImages", [&](std::size_t, const StateJson& recent) {
    if (preferences.recentImages.size() == Preferences::kRecentImages) return;
    preferences.recentImages.push_back(recentOf(recent));
  });
  values.read("film", [&](const StateJson& film) { preferences.film = recentOf(film); });
  values.within("scenes", [&](const Values& scenes) {
    for (const auto& entry : entries(SceneKind{}))
      scenes.read(entry.name,
                  [&](const StateJson& scene) { preferences.leftScenes[entry.value] = leftSceneOf(scene); });
  });
  values.read("preset", [&](const StateJson& preset) {
    ChosenPreset chosen{preset.at("name").get<std::string>(), {}};
    applySettingsJson(chosen.settings, preset.at("settings").dump(), "preset");
    preferences.preset = std::move(chosen);
  });
  return damaged;
}

StateJson preferencesJson(const Preferences& preferences) {
  const CaptureSettings& capture = preferences.capture;
  StateJson json = plainJson(preferences);
  json["capture"] = plainJson(capture);
  json["capture"].update({{"format", capture.format},
                          {"keepMetadata", name(capture.keep)},
                          {"videoFormat", capture.videoFormat.substr(1)}});
  json["scenes"] = StateJson::object();
  for (const char* const list : {"focusMarks", "recentImages", "bookmarks"}) json[list] = StateJson::array();
  for (const RecentImage& recent : preferences.recentImages) json["recentImages"].push_back(recentJson(recent));
  if (preferences.film) json["film"] = recentJson(*preferences.film);
  for (const auto& [kind, scene] : preferences.leftScenes) json["scenes"][name(kind)] = leftSceneJson(scene);
  for (const auto& mark : preferences.focusMarks) json["focusMarks"].push_back(mark ? StateJson(*mark) : StateJson());
  for (const auto& bookmark : preferences.bookmarks) {
    Settings settings;
    if (bookmark) settings.camera = *bookmark;
    json["bookmarks"].push_back(bookmark ? jsonOf(settings).at("camera") : StateJson());
  }
  if (const auto& preset = preferences.preset)
    json["preset"] = {{"name", preset->name}, {"settings", jsonOf(preset->settings)}};
  return json;
}

}  // namespace satdof
