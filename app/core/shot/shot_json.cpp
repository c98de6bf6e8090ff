#include "app/core/shot/shot_json.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "app/core/settings_json.h"
#include "app/core/shot/camera_path.h"

namespace satdof {

using namespace json;

namespace {

constexpr const char* kFormat = "satdof-shot";
constexpr int kVersion = 1;
constexpr Field kTime{.key = "time", .min = 0, .max = kLongestShotS, .interpolation = Interpolation::linear};
constexpr Field kPart{.min = 0, .max = 1, .interpolation = Interpolation::linear};
constexpr Field kMetres{.min = -kFarthestM, .max = kFarthestM, .interpolation = Interpolation::linear};

template <class T>
float toKey(T value) {
  return static_cast<float>(value);
}

class ShotReader {
 public:
  explicit ShotReader(const std::string& origin) : source_{"shot", origin, 16 * kMaxShotKeys} {}

  Shot read(std::string_view text, std::vector<std::string>& notes) {
    const Json file = parseObject(text, source_);
    if (std::optional<Shot> path = shotOfCameraPath(file, source_, notes)) return std::move(*path);
    known("", file, {"format", "version", "tracks", "camera"});
    if (const Json& format = member("", file, "format"); format != kFormat)
      refuse(inQuotes("format") + " must be " + inQuotes(kFormat) + ", not " + shown(format));
    if (const Json& version = member("", file, "version"); version != kVersion)
      refuse(inQuotes("version") + " must be " + std::to_string(kVersion) + ", not " + shown(version));
    const Json none = Json::array();
    const Json& tracks = file.contains("tracks") ? array("", file, "tracks") : none;
    for (const Json& track : tracks) readTrack(track);
    if (file.contains("camera"))
      readKeys("\"camera\"", array("", file, "camera"), {"time", "eye", "lookAt", "easing", "handles"}, shot_.camera,
               [this](const std::string& where, const Json& json, CameraKey& key) {
                 key.eyeM = place(where, json, "eye");
                 key.lookAtM = place(where, json, "lookAt");
                 if (key.eyeM == key.lookAtM) refuse(where + "\"eye\" and \"lookAt\" are the same place");
               });
    if (const std::string why = flawOf(shot_); !why.empty()) refuse(why);
    return std::move(shot_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw cannotRead(source_, why); }

  void known(const std::string& where, const Json& json, std::initializer_list<const char*> names) const {
    const std::vector<std::string> all(names.begin(), names.end());
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(all, name) == all.end())
        refuse(where + "unknown name " + inQuotes(name) + "; did you mean " + inQuotes(nearest(name, all)) + "?");
  }

  const Json& member(const std::string& where, const Json& json, const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) refuse(where + inQuotes(name) + " is missing");
    return *found;
  }

  const Json& array(const std::string& where, const Json& json, const char* name) const {
    const Json& found = member(where, json, name);
    if (!found.is_array()) refuse(where + inQuotes(name) + " must be a list");
    return found;
  }

  template <class T>
  void value(const std::string& where, const Field& field, const Json& json, const std::string& name, T& to) const {
    if (const std::string why = readEntry(field, json, name, to); !why.empty()) refuse(where + why);
  }

  glm::vec3 place(const std::string& where, const Json& json, const char* name) const {
    const Json& found = array(where, json, name);
    if (found.size() != 3) refuse(where + inQuotes(name) + " must be a list of 3 numbers");
    glm::vec3 place(0.0f);
    for (int axis = 0; axis < 3; ++axis)
      value(where, kMetres, found[static_cast<std::size_t>(axis)], name, place[axis]);
    return place;
  }

  // Appends the keys of `list` to `keys`. readRest(where, json, key) reads the members other than time and easing.
  template <class K, class ReadRest>
  void readKeys(const std::string& track, const Json& list, std::initializer_list<const char*> names,
                std::vector<K>& keys, const ReadRest& readRest) {
    if (list.empty()) refuse(track + " has no keys");
    for (const Json& json : list) {
      const std::string where = track + ", key " + std::to_string(keys.size() + 1) + ": ";
      if (++count_ > kMaxShotKeys) refuse("more than " + std::to_string(kMaxShotKeys) + " keys");
      if (!json.is_object()) refuse(where + "it must be a JSON object");
      known(where, json, names);
      K key;
      const Json& time = member(where, json, "time");
      float rounded = 0;
      value(where, kTime, time, "time", rounded);
      key.timeS = time.get<double>();
      if (!keys.empty() && !(key.timeS > keys.back().timeS))
        refuse(where + "the time " + shown(time) + " is not after the time of the key before, " +
               numberText(keys.back().timeS));
      readRest(where, json, key);
      if (json.contains("easing")) value(where, {}, json["easing"], "easing", key.easing);
      if (json.contains("handles")) {
        const Json& handles = array(where, json, "handles");
        if (key.easing != Easing::bezier) refuse(where + "\"handles\" belong to the easing \"bezier\"");
        if (handles.size() != key.handles.size())
          refuse(where + "\"handles\" must be a list of 4 numbers: x1, y1, x2, y2");
        for (std::size_t i = 0; i < key.handles.size(); ++i) value(where, kPart, handles[i], "handles", key.handles[i]);
      }
      keys.push_back(key);
    }
  }

  void readTrack(const Json& json) {
    const std::string number = "track " + std::to_string(shot_.tracks.size() + 1);
    if (!json.is_object()) refuse(number + " must be a JSON object");
    known(number + ": ", json, {"field", "keys"});
    const Json& name = member(number + ": ", json, "field");
    if (!name.is_string()) refuse(number + ": \"field\" must be the name of a setting");
    Track track{.field = name.get<std::string>(), .keys = {}};
    if (animates(shot_, track.field)) refuse("two tracks of " + inQuotes(track.field));
    bool found = false;
    std::vector<std::string> others;
    describe(kAny, [&]<class T>(const Field& field, const T&) {
      if constexpr (isKeyed<T>)
        if (field.takesKeys()) others.push_back(field.path());
      if (!field.isAt(track.field)) return;
      found = true;
      if (!field.takesKeys()) refuse(inQuotes(track.field) + " takes no keys: its value holds for a whole run");
      if constexpr (isKeyed<T>)
        readKeys(number + " (" + track.field + ")", array(number + ": ", json, "keys"),
                 {"time", "value", "easing", "handles"}, track.keys,
                 [&](const std::string& where, const Json& entry, Key& key) {
                   T read{};
                   value(where, field, member(where, entry, "value"), "value", read);
                   key.value = toKey(read);
                 });
    });
    if (!found)
      refuse(number + ": unknown setting " + inQuotes(track.field) + "; did you mean " +
             inQuotes(nearest(track.field, others)) + "?");
    shot_.tracks.push_back(std::move(track));
  }

  static inline const Settings kAny;
  Source source_;
  Shot shot_;
  std::size_t count_ = 0;
};

template <class K>
void addEasing(Json& json, const K& key) {
  json["easing"] = name(key.easing);
  if (key.easing != Easing::bezier) return;
  json["handles"] = Json::array();
  for (const float part : key.handles) json["handles"].push_back(toJson(part));
}

Json placeJson(const glm::vec3& place) { return {toJson(place.x), toJson(place.y), toJson(place.z)}; }

}  // namespace

std::string_view shotKind(std::string_view text) {
  try {
    const Json file = parseObject(text, {"shot", "", 16 * kMaxShotKeys});
    if (file.contains("format") && file["format"] == kFormat) return kFormat;
    for (const char* const path : {"path", "camera_path"})
      if (file.contains(path)) return path;
  } catch (const UsageError&) {  // no JSON
  }
  return {};
}

Shot shotFromJson(std::string_view text, const std::string& origin, std::vector<std::string>& notes) {
  return ShotReader(origin).read(text, notes);
}

std::string shotToJson(const Shot& shot) {
  Json file;
  file["format"] = kFormat;
  file["version"] = kVersion;
  file["tracks"] = Json::array();
  const Settings any;
  for (const Track& track : shot.tracks) {
    Json keys = Json::array();
    describe(any, [&]<class T>(const Field& field, const T&) {
      if constexpr (isKeyed<T>)
        if (field.isAt(track.field))
          for (const Key& key : track.keys) {
            Json json = {{"time", key.timeS}};
            json["value"] = toJson(static_cast<T>(key.value));
            addEasing(json, key);
            keys.push_back(json);
          }
    });
    file["tracks"].push_back({{"field", track.field}, {"keys", keys}});
  }
  for (const CameraKey& key : shot.camera) {
    Json json = {{"time", key.timeS}};
    json["eye"] = placeJson(key.eyeM);
    json["lookAt"] = placeJson(key.lookAtM);
    addEasing(json, key);
    file["camera"].push_back(json);
  }
  return file.dump(1, ' ', true) + "\n";
}

}  // namespace satdof
