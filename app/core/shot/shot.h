#pragma once
#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/core/fields.h"
#include "app/core/settings.h"

// A shot: settings that change with time. Any field that takes keys can have a track, and the camera has its own keys.
namespace satdof {

// How a value moves from a key to the next. smooth: a monotone cubic with speed 0 at both ends of a track and at
// extrema.
enum class Easing { hold, linear, smooth, bezier };
std::span<const EnumEntry<Easing>> entries(Easing);

// The control points x1, y1, x2, y2 of a Bezier easing from (0, 0) at a key to (1, 1) at the next key; each from 0 to
// 1.
using Handles = std::array<float, 4>;
inline constexpr Handles kHandles{0.42f, 0.0f, 0.58f, 1.0f};

struct Key {
  double timeS = 0;
  float value = 0;  // of a boolean: 0 or 1; of an enumeration: the value of the enumerator
  Easing easing = Easing::smooth;
  Handles handles = kHandles;  // for Easing::bezier
  bool operator==(const Key&) const = default;
};

struct Track {
  std::string field;      // Field::path() of a field that takes keys
  std::vector<Key> keys;  // by ascending time
  bool operator==(const Track&) const = default;
};

// The position of the camera and the point that it looks at.
struct CameraKey {
  double timeS = 0;
  glm::vec3 eyeM{0.0f}, lookAtM{0.0f};
  Easing easing = Easing::smooth;
  Handles handles = kHandles;
  bool operator==(const CameraKey&) const = default;
};

struct Shot {
  std::vector<Track> tracks;      // at most one a field
  std::vector<CameraKey> camera;  // by ascending time; if not empty, no field of kPlaceFields has a track
  bool operator==(const Shot&) const = default;
};

// The fields that Shot::camera sets.
inline constexpr std::string_view kPlaceFields[] = {"camera.yawDegrees", "camera.pitchDegrees", "camera.distanceM",
                                                    "camera.targetXM",   "camera.targetYM",     "camera.targetZM"};

// Limits of a shot.
inline constexpr std::size_t kMaxShotKeys = 20'000;  // in all tracks together
inline constexpr double kLongestShotS = 1e6;
inline constexpr float kFarthestM = 1000;  // coordinates of eye and target, along each axis

// Returns the time of the last key.
double durationS(const Shot& shot);

// Returns the number of frames that begin in [0, time of the last key); at least 1. Ten seconds at 30 frames a second
// are 300 frames, so a shot whose last key equals its first one loops.
double framesOf(const Shot& shot, float framesPerSecond);

// Returns the time of frame n, from 0 on: n / rate, or the time of the nearest key within the rounding of the rate.
double frameTimeS(const Shot& shot, long frame, float framesPerSecond);

// Returns the times of the keys of all tracks, ascending, each once.
std::vector<double> keyTimes(const Shot& shot);

// Multiplies the times of all keys.
void scaleTimes(Shot& shot, double factor);

// Returns the value of a track at a time: the first value before the first key, the last value after the last key.
// Between two keys, interpolates by `how` with the easing of the first; the result lies between both values. Needs at
// least one key. Easing::smooth: the monotone cubic of Fritsch and Carlson (1980) with the tangents of Fritsch and
// Butland (1984).
float valueAt(Interpolation how, std::span<const Key> keys, double timeS);

// Returns the Bezier handles that reproduce the easing from key i to the next key; kHandles if the value is held. For
// camera keys: the motion of the eye.
Handles handlesLike(Interpolation how, std::span<const Key> keys, std::size_t i);
Handles handlesLike(std::span<const CameraKey> keys, std::size_t i);

// Returns eye and target at a time. Both follow centripetal Catmull-Rom curves (Yuksel et al. 2011) through the keys,
// parametrised by arc length, with the easing of the first key of each segment. Eye and target are eased independently.
struct CameraPlace {
  glm::vec3 eyeM, lookAtM;
};
CameraPlace cameraAt(std::span<const CameraKey> keys, double timeS);

// Sets an orbit camera to `place`. Eye and direction are exact within the limits of pitch, distance and target.
void placeCamera(CameraSettings& camera, const CameraPlace& place);

// Returns the roll of a camera with these unit axes: 0 if `right` is horizontal. For a vertical `forward`, relative to
// yaw 0, as placeCamera() sets it.
float rollDegreesOf(const glm::vec3& forward, const glm::vec3& right);

// Returns eye and target of an orbit camera.
CameraPlace placeOf(const CameraSettings& camera);

// Returns `base` with the values of the shot at a time. A track of the focus distance turns the autofocus off, unless
// the autofocus has a track, too.
Settings settingsAt(const Shot& shot, const Settings& base, double timeS);

// Returns why the tracks contradict each other; empty if they do not.
std::string flawOf(const Shot& shot);

// Whether the shot has a track of the field.
bool animates(const Shot& shot, std::string_view field);

}  // namespace satdof
