#include "app/core/shot/camera_path.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

namespace satdof {

using namespace json;

namespace {

constexpr double kAnyNumber = 1e9;
constexpr float kSensorHeightMm = 24.0f;
constexpr Field kFov = fieldOf("camera.verticalFovDegrees"), kSensor = fieldOf("lens.sensorHeightMm"),
                kFocal = fieldOf("lens.focalLengthMm"), kFocus = fieldOf("lens.focusDistanceM"),
                kFNumber = fieldOf("lens.fNumber"), kRoll = fieldOf("camera.rollDegrees");
constexpr float kLevelDegrees = 1.0f;
constexpr const char* kGenerator = "satdof";

struct Camera {
  glm::vec3 eyeM, forward, right;
  float fovDegrees;
};

class PathReader {
 public:
  PathReader(const Source& source, std::vector<std::string>& notes) : source_(source), notes_(notes) {}

  Shot instantNgp(const Json& file) {
    const Json& path = list(file.at("path"), "path");
    std::vector<double> times = ngpTimes(file, path);
    std::vector<float> focus, apertures;
    for (const Json& json : path) {
      where_ = "camera " + std::to_string(shot_.camera.size() + 1) + ": ";
      const auto r = numbers(member(json, "R"), "R", 4), t = numbers(member(json, "T"), "T", 3);
      const float length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
      if (!(length > 0)) refuse("\"R\" is no rotation");
      const float x = r[0] / length, y = r[1] / length, z = r[2] / length, w = r[3] / length;
      const float focusM = number(member(json, "slice"), "slice") + number(member(json, "scale"), "scale");
      const Camera camera{.eyeM = {t[0], t[1], t[2]},
                          .forward = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
                          .right = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                          .fovDegrees = number(member(json, "fov"), "fov")};
      add(camera, std::max(focusM, 0.5f), times[shot_.camera.size()], Easing::smooth);
      focus.push_back(focusM);
      const char* const aperture = json.contains("dof") ? "dof" : "aperture_size";
      apertures.push_back(number(member(json, aperture), aperture));
    }
    addLens(focus, apertures);
    if (file.contains("loop") && file["loop"] == true && path.size() > 1) endAs(0, times.back());
    if (path.size() > 2)
      notes_.emplace_back("the path passes through its cameras; the spline of instant-ngp passes beside them");
    return finish();
  }

  Shot nerfstudio(const Json& file) {
    const Json& path = list(file.at("camera_path"), "camera_path");
    double rate = 24;
    if (file.contains("fps") && file["fps"] != 0) {
      rate = number(file["fps"], "fps");
    } else if (file.contains("seconds") && file["seconds"] != 0) {
      rate = static_cast<double>(path.size()) / number(file["seconds"], "seconds");
    }
    if (!(rate >= 1e-3 && rate <= 1e5)) refuse("\"fps\" or \"seconds\" is out of range");
    for (const Json& json : path) {
      where_ = "frame " + std::to_string(shot_.camera.size() + 1) + ": ";
      const auto m = numbers(member(json, "camera_to_world"), "camera_to_world", 16);
      const auto column = [&](std::size_t i) { return glm::vec3(m[i], m[8 + i], -m[4 + i]); };
      add({.eyeM = column(3),
           .forward = -column(2),
           .right = column(0),
           .fovDegrees = number(member(json, "fov"), "fov")},
          1.0f, static_cast<double>(shot_.camera.size()) / rate, Easing::linear);
    }
    endAs(shot_.camera.size() - 1, static_cast<double>(shot_.camera.size()) / rate);
    if (file.contains("camera_type") && file["camera_type"] != "perspective")
      notes_.push_back("camera_type " + shown(file["camera_type"]) + " is drawn as perspective");
    if (file.contains("crop") && !file["crop"].is_null()) notes_.emplace_back("the crop is left out");
    if (file.contains("render_width") && file.contains("render_height"))
      notes_.push_back("its size is left out: give --size " + shown(file["render_width"]) + "x" +
                       shown(file["render_height"]));
    notes_.push_back("its frame rate is left out: give --fps " + numberText(rate));
    return finish();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw cannotRead(source_, where_ + why); }

  const Json& list(const Json& json, const char* name) const {
    if (!json.is_array() || json.empty()) refuse(inQuotes(name) + " must be a list of cameras");
    if (json.size() > kMaxShotKeys) refuse("more than " + std::to_string(kMaxShotKeys) + " cameras");
    return json;
  }

  const Json& member(const Json& json, const char* name) const {
    if (!json.is_object() || !json.contains(name)) refuse(inQuotes(name) + " is missing");
    return json[name];
  }

  float number(const Json& json, const char* name) const {
    if (!json.is_number() || !(std::abs(json.get<double>()) <= kAnyNumber))
      refuse(inQuotes(name) + " must be a number");
    return json.get<float>();
  }

  std::vector<float> numbers(const Json& json, const char* name, std::size_t count) const {
    if (!json.is_array() || json.size() != count)
      refuse(inQuotes(name) + " must be a list of " + std::to_string(count) + " numbers");
    std::vector<float> found;
    for (const Json& each : json) found.push_back(number(each, name));
    return found;
  }

  // Returns the time in seconds of each camera, then the time of the end. instant-ngp stores the time of camera i + 1
  // as the timestamp of camera i. A path without times gets the duration 1 from instant-ngp; satdof names itself in a
  // file of 1 s.
  std::vector<double> ngpTimes(const Json& file, const Json& path) {
    std::vector<double> times{0};
    const float durationS =
        file.contains("duration_seconds") ? number(file["duration_seconds"], "duration_seconds") : 0.0f;
    const bool timed =
        durationS > 0 && (durationS != 1 || (file.contains("generator") && file["generator"] == kGenerator));
    bool rises = timed;
    for (const Json& json : path) {
      const double next =
          timed && json.is_object() && json.contains("timestamp") ? number(json["timestamp"], "timestamp") : -1.0;
      rises = rises && next > times.back() && next <= kLongestShotS;
      times.push_back(next);
    }
    if (rises) return times;
    if (path.size() > 1) notes_.emplace_back("it has no times: the cameras are one second apart");
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i);
    return times;
  }

  void add(const Camera& camera, float lookM, double timeS, Easing easing) {
    const float length = glm::length(camera.forward), across = glm::length(camera.right);
    if (!(length > 0) || !(across > 0)) refuse("its axes have no length");
    rolls_.push_back(rollDegreesOf(camera.forward / length, camera.right / across));
    rolled_ |= std::abs(rolls_.back()) > kLevelDegrees;
    const CameraKey key{.timeS = timeS,
                        .eyeM = camera.eyeM,
                        .lookAtM = camera.eyeM + lookM / length * camera.forward,
                        .easing = easing};
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::max(std::abs(key.eyeM[axis]), std::abs(key.lookAtM[axis])) <= kFarthestM))
        refuse("the camera is more than " + numberText(kFarthestM) + " m away");
    shot_.camera.push_back(key);
    fovs_.push_back(camera.fovDegrees);
  }

  // Adds a track with value(i) for camera i.
  void track(const Field& field, const std::function<float(std::size_t)>& value) {
    Track track{.field = field.path(), .keys = {}};
    bool clamped = false;
    for (std::size_t i = 0; i < shot_.camera.size(); ++i) {
      const float wanted = value(i);
      const float inRange = std::clamp(wanted, static_cast<float>(field.min), static_cast<float>(field.max));
      clamped |= inRange != wanted;
      track.keys.push_back({.timeS = shot_.camera[i].timeS, .value = inRange, .easing = shot_.camera[i].easing});
    }
    if (clamped) notes_.push_back(track.field + " is kept within its range");
    if (std::ranges::all_of(track.keys, [&](const Key& key) { return key.value == track.keys[0].value; }))
      track.keys.resize(1);
    shot_.tracks.push_back(track);
  }

  // Adds tracks of focal length, focus and f-number. The sensor height h is 24 mm; f = h / (2 tan(fov / 2)), N = f / (2
  // r).
  void addLens(const std::vector<float>& focus, const std::vector<float>& apertures) {
    if (std::ranges::none_of(apertures, [](float radius) { return radius > 0; })) {
      notes_.emplace_back("its aperture is 0: focus and f-number are not taken from the file");
      return;
    }
    const auto focalMm = [&](std::size_t i) {
      return 0.5f * kSensorHeightMm / std::tan(glm::radians(std::clamp(fovs_[i], 5.0f, 120.0f)) / 2);
    };
    track(kSensor, [](std::size_t) { return kSensorHeightMm; });
    track(kFocal, focalMm);
    track(kFocus, [&](std::size_t i) { return focus[i]; });
    track(kFNumber, [&](std::size_t i) {
      return apertures[i] > 0 ? focalMm(i) / (2000 * apertures[i]) : static_cast<float>(kFNumber.max);
    });
  }

  // Adds a last key at `timeS` with the place and the values of `camera`.
  void endAs(std::size_t camera, double timeS) {
    CameraKey last = shot_.camera[camera];
    last.timeS = timeS;
    shot_.camera.push_back(last);
    fovs_.push_back(fovs_[camera]);
    rolls_.push_back(rolls_[camera]);
    for (Track& each : shot_.tracks)
      if (each.keys.size() > 1) {
        each.keys.push_back(each.keys[camera]);
        each.keys.back().timeS = timeS;
      }
  }

  Shot finish() {
    where_.clear();
    track(kFov, [&](std::size_t i) { return fovs_[i]; });
    if (rolled_) track(kRoll, [&](std::size_t i) { return rolls_[i]; });
    notes_.emplace_back("a unit of the file is a metre");
    std::size_t keys = shot_.camera.size();
    for (const Track& each : shot_.tracks) keys += each.keys.size();
    if (keys > kMaxShotKeys)
      refuse("its cameras take " + std::to_string(keys) + " keys, more than " + std::to_string(kMaxShotKeys));
    if (durationS(shot_) > kLongestShotS) refuse("it is longer than " + numberText(kLongestShotS) + " s");
    return std::move(shot_);
  }

  const Source& source_;
  std::vector<std::string>& notes_;
  std::string where_;
  Shot shot_;
  std::vector<float> fovs_, rolls_;
  bool rolled_ = false;
};

// The position and the orthonormal axes of a camera.
struct Axes {
  glm::vec3 eyeM, right, up, forward;
};

Axes axesOf(const CameraSettings& camera) {
  const CameraPlace place = placeOf(camera);
  const float yaw = glm::radians(camera.yawDegrees), roll = glm::radians(camera.rollDegrees);
  const glm::vec3 forward = glm::normalize(place.lookAtM - place.eyeM), level(std::cos(yaw), 0.0f, -std::sin(yaw)),
                  up = glm::cross(level, forward);
  const float c = std::cos(roll), s = std::sin(roll);
  return {place.eyeM, c * level + s * up, c * up - s * level, forward};
}

Json ngpCamera(const Settings& at, const Axes& axes, double nextS) {
  const glm::quat turn = glm::quat_cast(glm::mat3(axes.right, -axes.up, axes.forward));
  return {{"R", {turn.x, turn.y, turn.z, turn.w}},
          {"T", {axes.eyeM.x, axes.eyeM.y, axes.eyeM.z}},
          {"slice", 0},
          {"scale", at.lens.focusDistanceM},
          {"fov", at.camera.verticalFovDegrees},
          {"aperture_size", at.lens.focalLengthMm / (2000 * at.lens.fNumber)},
          {"timestamp", nextS}};
}

Json nerfstudioCamera(const Settings& at, const Axes& axes) {
  Json matrix = Json::array();
  for (const int axis : {0, 2, 1})
    for (const glm::vec3& column : {axes.right, axes.up, -axes.forward, axes.eyeM})
      matrix.push_back(axis == 2 ? -column[axis] : column[axis]);
  for (const int last : {0, 0, 0, 1}) matrix.push_back(last);
  return {{"camera_to_world", matrix},
          {"fov", at.camera.verticalFovDegrees},
          {"aspect", static_cast<double>(at.size.x) / at.size.y}};
}

}  // namespace

std::string cameraPathToJson(CameraPathFormat format, const Shot& shot, const Settings& base, float framesPerSecond) {
  const auto frames = static_cast<long>(framesOf(shot, framesPerSecond));
  const double rate = static_cast<double>(framesPerSecond), seconds = static_cast<double>(frames) / rate;
  Json cameras = Json::array();
  for (long frame = 0; frame < frames; ++frame) {
    const Settings at = settingsAt(shot, base, frameTimeS(shot, frame, framesPerSecond));
    const Axes axes = axesOf(at.camera);
    cameras.push_back(format == CameraPathFormat::instantNgp
                          ? ngpCamera(at, axes, static_cast<double>(frame + 1) / rate)
                          : nerfstudioCamera(at, axes));
  }
  const Json file = format == CameraPathFormat::instantNgp ? Json{{"generator", kGenerator},
                                                                  {"path", cameras},
                                                                  {"loop", false},
                                                                  {"duration_seconds", seconds},
                                                                  {"time", 1}}
                                                           : Json{{"camera_type", "perspective"},
                                                                  {"render_height", base.size.y},
                                                                  {"render_width", base.size.x},
                                                                  {"fps", rate},
                                                                  {"seconds", seconds},
                                                                  {"smoothness_value", 0},
                                                                  {"is_cycle", false},
                                                                  {"crop", nullptr},
                                                                  {"keyframes", Json::array()},
                                                                  {"camera_path", cameras}};
  return file.dump(1) + "\n";
}

std::optional<Shot> shotOfCameraPath(const Json& file, const Source& source, std::vector<std::string>& notes) {
  if (file.contains("format")) return std::nullopt;
  if (file.contains("path")) return PathReader(source, notes).instantNgp(file);
  if (file.contains("camera_path")) return PathReader(source, notes).nerfstudio(file);
  return std::nullopt;
}

}  // namespace satdof
