#include "app/core/shot/shot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <type_traits>

namespace satdof {

namespace {

constexpr EnumEntry<Easing> kEasings[] = {
    {Easing::hold, "hold", "the value of the key, until the next key"},
    {Easing::linear, "linear", "at one speed"},
    {Easing::smooth, "smooth", "without a jump of the speed, never beyond the keys"},
    {Easing::bezier, "bezier", "by two handles"},
};

constexpr float kFastest = std::numeric_limits<float>::max();  // frames per second

// Returns y at `x` of the Bezier curve from (0, 0) to (1, 1), by bisection: x increases along the curve.
double bezierAt(const Handles& handles, double x) {
  const auto on = [](double a, double b, double s) {
    return 3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s;
  };
  double low = 0, high = 1;
  for (int step = 0; step < 52; ++step) {
    const double middle = (low + high) / 2;
    (on(handles[0], handles[2], middle) < x ? low : high) = middle;
  }
  return on(handles[1], handles[3], (low + high) / 2);
}

// Cubic Hermite interpolation: the fraction of the distance to the next key at the fraction `u` of the time. Both
// speeds are in units of the mean speed of the segment.
double smoothAt(double u, double speedFrom, double speedTo) {
  const double v = 1 - u;
  return u * u * (3 - 2 * u) + u * v * (v * speedFrom - u * speedTo);
}

// Returns the speed of smooth easing at key k: the weighted harmonic mean of the mean speeds of both segments (Fritsch
// and Butland 1984); 0 at an extremum, at an end and beside a held value. distance(i): the signed distance from key i
// to key i + 1.
template <class K, class Distance>
double speedAt(std::span<const K> keys, std::size_t k, const Distance& distance) {
  if (k == 0 || k + 1 == keys.size() || keys[k - 1].easing == Easing::hold || keys[k].easing == Easing::hold)
    return 0.0;
  const double before = keys[k].timeS - keys[k - 1].timeS, next = keys[k + 1].timeS - keys[k].timeS;
  const double from = distance(k - 1) / before, to = distance(k) / next;
  if (!(from * to > 0)) return 0.0;
  const double first = 2 * next + before, second = next + 2 * before;
  return (first + second) / (first / from + second / to);
}

// Returns the two speeds that smoothAt() needs between key i and key i + 1.
template <class K, class Distance>
std::pair<double, double> smoothSpeeds(std::span<const K> keys, std::size_t i, const Distance& distance) {
  const double whole = distance(i) / (keys[i + 1].timeS - keys[i].timeS);
  if (whole == 0 || !std::isfinite(whole)) return {0, 0};
  return {speedAt(keys, i, distance) / whole, speedAt(keys, i + 1, distance) / whole};
}

// A position on a track.
struct KeyPosition {
  std::size_t key;  // the last key at or before the time
  double part;      // fraction of the distance to the next key, 0 to 1
};

template <class K, class Distance>
KeyPosition positionAt(std::span<const K> keys, double timeS, const Distance& distance) {
  const auto after = std::ranges::upper_bound(keys, timeS, {}, &K::timeS);
  if (after == keys.begin()) return {0, 0};
  const auto i = static_cast<std::size_t>(after - keys.begin()) - 1;
  const K& key = keys[i];
  if (i + 1 == keys.size() || timeS == key.timeS) return {i, 0};
  const double u = (timeS - key.timeS) / (keys[i + 1].timeS - key.timeS);
  switch (key.easing) {
    case Easing::hold:
      return {i, 0};
    case Easing::linear:
      return {i, u};
    case Easing::bezier:
      return {i, std::clamp(bezierAt(key.handles, u), 0.0, 1.0)};
    case Easing::smooth:
      break;
  }
  const auto [from, to] = smoothSpeeds(keys, i, distance);
  return {i, std::clamp(smoothAt(u, from, to), 0.0, 1.0)};
}

// Returns the signed distance between two values in the space in which they are interpolated linearly.
double distanceBetween(Interpolation how, double from, double to) {
  switch (how) {
    case Interpolation::logarithmic:
      return from > 0 && to > 0 ? std::log(to / from) : to - from;
    case Interpolation::diopters:
      return 1 / to - 1 / from;
    case Interpolation::angle:
      return std::remainder(to - from, 360.0);
    default:
      return to - from;
  }
}

// A segment of a centripetal Catmull-Rom curve (Yuksel et al. 2011), parametrised by arc length: the lengths of kChords
// chords.
class Segment {
 public:
  // The segment from point i to point i + 1. at(i): point i of `count`.
  template <class At>
  Segment(std::size_t i, std::size_t count, const At& at) : from_(at(i)), to_(at(i + 1)) {
    leaving_ = i == 0 ? to_ - from_ : tangent(at(i - 1), from_, to_, to_ - from_);
    arriving_ = i + 2 == count ? to_ - from_ : -tangent(at(i + 2), to_, from_, from_ - to_);
    glm::dvec3 last = from_;
    for (std::size_t k = 1; k <= kChords; ++k) {
      const glm::dvec3 next = on(static_cast<double>(k) / kChords);
      lengths_[k] = lengths_[k - 1] + glm::length(next - last);
      last = next;
    }
  }

  double length() const { return lengths_.back(); }

  // Returns the point at a fraction of the length, 0 to 1.
  glm::dvec3 at(double part) const {
    if (part <= 0 || length() == 0) return from_;
    if (part >= 1) return to_;
    const auto next = std::ranges::upper_bound(lengths_, part * length());
    const auto k = std::min<std::size_t>(static_cast<std::size_t>(next - lengths_.begin()), kChords);
    const double inChord = (part * length() - lengths_[k - 1]) / (lengths_[k] - lengths_[k - 1]);
    return on((static_cast<double>(k - 1) + inChord) / kChords);
  }

 private:
  static constexpr std::size_t kChords = 256;

  // Returns the tangent at `to`, scaled to the knot interval from `to` to `next`. Knot intervals are the square roots
  // of the chord lengths. `straight`: the tangent where points coincide.
  static glm::dvec3 tangent(const glm::dvec3& from, const glm::dvec3& to, const glm::dvec3& next,
                            const glm::dvec3& straight) {
    const double before = std::sqrt(glm::length(to - from)), after = std::sqrt(glm::length(next - to));
    if (before == 0 || after == 0) return straight;
    return after * ((to - from) / before - (next - from) / (before + after) + (next - to) / after);
  }

  glm::dvec3 on(double u) const {
    const double v = 1 - u;
    return v * v * (1 + 2 * u) * from_ + u * u * (3 - 2 * u) * to_ + u * v * (v * leaving_ - u * arriving_);
  }

  glm::dvec3 from_, to_, leaving_{0.0}, arriving_{0.0};
  std::array<double, kChords + 1> lengths_{};  // from the start
};

template <class T>
T valueOf(const Field& field, float value) {
  if constexpr (std::is_same_v<T, bool>) return value >= 0.5f;
  if constexpr (std::is_enum_v<T>) return static_cast<T>(std::lround(value));
  const auto min = static_cast<float>(field.min), max = static_cast<float>(field.max);
  if (field.interpolation == Interpolation::angle && (value < min || value > max))
    value += value < min ? 360.0f : -360.0f;
  value = std::clamp(value, min, max);
  if constexpr (std::is_same_v<T, int>) return static_cast<int>(std::lround(value));
  return static_cast<T>(value);
}

// Protects the field from SceneSettings::frame, which places camera and focus once the file is read.
void keep(SceneSettings& scene, std::string_view path) {
  if (scene.frame) scene.typed.add(path);
}

}  // namespace

std::span<const EnumEntry<Easing>> entries(Easing) { return kEasings; }

double durationS(const Shot& shot) {
  double last = shot.camera.empty() ? 0 : shot.camera.back().timeS;
  for (const Track& track : shot.tracks)
    if (!track.keys.empty()) last = std::max(last, track.keys.back().timeS);
  return last;
}

double frameTimeS(const Shot& shot, long frame, float framesPerSecond) {
  const double rate = framesPerSecond, n = static_cast<double>(frame);
  double timeS = n / rate;
  // Rates such as 29.97 are rounded to float: `from` to `to` is the interval of n / r over all r that round to the
  // rate.
  const double from = n / ((rate + std::nextafter(framesPerSecond, kFastest)) / 2),
               to = n / ((rate + std::nextafter(framesPerSecond, 0.0f)) / 2);
  double nearest = to - from;
  const auto look = [&](const auto& keys) {
    const auto first = std::ranges::lower_bound(keys, from, {}, [](const auto& key) { return key.timeS; });
    for (auto key = first; key != keys.end() && key->timeS <= to; ++key)
      if (const double away = std::abs(key->timeS - n / rate); away <= nearest) {
        nearest = away;
        timeS = key->timeS;
      }
  };
  for (const Track& track : shot.tracks) look(track.keys);
  look(shot.camera);
  return timeS;
}

double framesOf(const Shot& shot, float framesPerSecond) {
  constexpr double kRateRounding = 6e-8, kFrameRounding = 1e-6;  // relative, and in frames
  const double frames = durationS(shot) * static_cast<double>(framesPerSecond);
  return std::max(std::ceil(frames * (1 - kRateRounding) - kFrameRounding), 1.0);
}

std::vector<double> keyTimes(const Shot& shot) {
  std::vector<double> times;
  for (const Track& track : shot.tracks)
    for (const Key& key : track.keys) times.push_back(key.timeS);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void scaleTimes(Shot& shot, double factor) {
  for (Track& track : shot.tracks)
    for (Key& key : track.keys) key.timeS *= factor;
  for (CameraKey& key : shot.camera) key.timeS *= factor;
}

namespace {

// Returns the function distance(i) of speedAt() for the keys of a track.
auto distancesOf(Interpolation how, std::span<const Key> keys) {
  return [how, keys](std::size_t i) { return distanceBetween(how, keys[i].value, keys[i + 1].value); };
}

Segment segmentOf(std::span<const CameraKey> keys, glm::vec3 CameraKey::*place, std::size_t i) {
  return Segment(i, keys.size(), [&](std::size_t k) { return glm::dvec3(keys[k].*place); });
}

template <class K, class Distance>
Handles handlesFrom(std::span<const K> keys, std::size_t i, const Distance& distance) {
  constexpr float kThird = 1.0f / 3;
  if (i + 1 >= keys.size() || keys[i].easing == Easing::hold) return kHandles;
  if (keys[i].easing == Easing::bezier) return keys[i].handles;
  if (keys[i].easing == Easing::linear) return {kThird, kThird, 1 - kThird, 1 - kThird};
  const auto [from, to] = smoothSpeeds(keys, i, distance);
  return {kThird, kThird * static_cast<float>(from) + 0.0f, 1 - kThird, 1 - kThird * static_cast<float>(to)};
}

}  // namespace

Handles handlesLike(Interpolation how, std::span<const Key> keys, std::size_t i) {
  return handlesFrom(keys, i, distancesOf(how, keys));
}

Handles handlesLike(std::span<const CameraKey> keys, std::size_t i) {
  return handlesFrom(keys, i, [&](std::size_t k) { return segmentOf(keys, &CameraKey::eyeM, k).length(); });
}

float valueAt(Interpolation how, std::span<const Key> keys, double timeS) {
  const auto [i, part] = positionAt(keys, timeS, distancesOf(how, keys));
  const float from = keys[i].value;
  if (part == 0 || how == Interpolation::step) return from;
  const float to = keys[i + 1].value, value = between(how, from, to, static_cast<float>(part));
  return how == Interpolation::angle ? value : std::clamp(value, std::min(from, to), std::max(from, to));
}

CameraPlace cameraAt(std::span<const CameraKey> keys, double timeS) {
  // Eye and target move independently: one may rest while the other moves.
  const auto at = [&](glm::vec3 CameraKey::*place) {
    const auto segment = [&](std::size_t k) { return segmentOf(keys, place, k); };
    const auto [i, part] = positionAt(keys, timeS, [&](std::size_t k) { return segment(k).length(); });
    return part == 0 ? keys[i].*place : glm::vec3(segment(i).at(part));
  };
  return {at(&CameraKey::eyeM), at(&CameraKey::lookAtM)};
}

namespace {

// Returns the unit vector from the target to the eye.
glm::vec3 backward(const CameraSettings& camera) {
  const float yaw = glm::radians(camera.yawDegrees), pitch = glm::radians(camera.pitchDegrees);
  return {std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw)};
}

}  // namespace

float rollDegreesOf(const glm::vec3& forward, const glm::vec3& right) {
  const float across = std::hypot(forward.x, forward.z);
  const glm::vec3 level = across > 0 ? glm::vec3(-forward.z, 0, forward.x) / across : glm::vec3(1, 0, 0);
  return glm::degrees(std::atan2(glm::dot(right, glm::cross(level, forward)), glm::dot(right, level)));
}

CameraPlace placeOf(const CameraSettings& camera) {
  const glm::vec3 target(camera.targetXM, camera.targetYM, camera.targetZM);
  return {target + camera.distanceM * backward(camera), target};
}

void placeCamera(CameraSettings& camera, const CameraPlace& place) {
  constexpr Field kPitch = fieldOf("camera.pitchDegrees"), kDistance = fieldOf("camera.distanceM"),
                  kTarget = fieldOf("camera.targetXM");
  const glm::vec3 back = place.eyeM - place.lookAtM;
  const float across = std::hypot(back.x, back.z), distance = glm::length(back);
  // Yaw is 0 where it is undefined, so that the result does not depend on the previous frame.
  camera.yawDegrees = across > 0 ? glm::degrees(std::atan2(back.x, back.z)) : 0.0f;
  camera.pitchDegrees = 0;
  if (distance > 0)
    camera.pitchDegrees = std::clamp(glm::degrees(std::atan2(back.y, across)), static_cast<float>(kPitch.min),
                                     static_cast<float>(kPitch.max));
  camera.distanceM = std::clamp(distance, static_cast<float>(kDistance.min), static_cast<float>(kDistance.max));
  const glm::vec3 target =
      glm::clamp(place.eyeM - camera.distanceM * backward(camera), glm::vec3(static_cast<float>(kTarget.min)),
                 glm::vec3(static_cast<float>(kTarget.max)));
  camera.targetXM = target.x;
  camera.targetYM = target.y;
  camera.targetZM = target.z;
}

bool animates(const Shot& shot, std::string_view field) {
  return std::ranges::any_of(shot.tracks, [&](const Track& track) { return track.field == field; });
}

Settings settingsAt(const Shot& shot, const Settings& base, double timeS) {
  Settings settings = base;
  describe(settings, [&]<class T>(const Field& field, T& value) {
    if constexpr (isKeyed<T>)
      for (const Track& track : shot.tracks)
        if (field.isAt(track.field)) {
          value = valueOf<T>(field, valueAt(field.interpolation, track.keys, timeS));
          keep(settings.scene, track.field);
        }
  });
  if (!shot.camera.empty()) {
    placeCamera(settings.camera, cameraAt(shot.camera, timeS));
    for (const std::string_view path : kPlaceFields) keep(settings.scene, path);
  }
  if (animates(shot, "lens.focusDistanceM") && !animates(shot, "lens.autofocus")) settings.lens.autofocus = false;
  return settings;
}

std::string flawOf(const Shot& shot) {
  for (const std::string_view path : kPlaceFields)
    if (!shot.camera.empty() && animates(shot, path))
      return "both \"camera\" and a track of \"" + std::string(path) + "\" place the camera; leave one out";
  // Without a focus track, the focus after the end of the autofocus would depend on the frames rendered before.
  for (const Track& track : shot.tracks)
    if (track.field == "lens.autofocus" && !animates(shot, "lens.focusDistanceM") &&
        std::ranges::any_of(track.keys, [](const Key& key) { return key.value == 0; }))
      return "\"lens.autofocus\" ends without a track of \"lens.focusDistanceM\": add one";
  return {};
}

}  // namespace satdof
