#pragma once
#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/core/fields.h"
#include "app/core/settings.h"

// Settings that change with time: keys for any field that takes keys, and for the camera.
namespace satdof {

// How a value goes from a key to the next one. Smooth: a monotone cubic, at rest where a track starts, ends or turns.
enum class Easing { hold, linear, smooth, bezier };
std::span<const EnumEntry<Easing>> entries(Easing);

// Bezier: the handles (x1, y1) and (x2, y2) of a curve from (0, 0), a key, to (1, 1), the next key, all from 0 to 1.
using Handles = std::array<float, 4>;
inline constexpr Handles kHandles{0.42f, 0.0f, 0.58f, 1.0f};

struct Key {
  double timeS = 0;
  float value = 0;  // a switch: 0 or 1; a choice: its place in its enumeration
  Easing easing = Easing::smooth;
  Handles handles = kHandles;  // of a bezier
  bool operator==(const Key&) const = default;
};

// Times rise from key to key.
struct Track {
  std::string field;  // Field::path() of a field that takes keys
  std::vector<Key> keys;
  bool operator==(const Track&) const = default;
};

// Where the camera is and what it looks at, in metres.
struct CameraKey {
  double timeS = 0;
  glm::vec3 eyeM{0.0f}, lookAtM{0.0f};
  Easing easing = Easing::smooth;
  Handles handles = kHandles;
  bool operator==(const CameraKey&) const = default;
};

struct Shot {
  std::vector<Track> tracks;      // at most one for a field
  std::vector<CameraKey> camera;  // empty, or in place of tracks of the camera's angles, distance and target
  bool operator==(const Shot&) const = default;
};

// The fields that `camera` sets.
inline constexpr std::string_view kPlaceFields[] = {"camera.yawDegrees", "camera.pitchDegrees",
                                                    "camera.distanceM",  "camera.targetXM",
                                                    "camera.targetYM",   "camera.targetZM"};

// Limits of a shot.
inline constexpr std::size_t kMostShotKeys = 20'000;  // in all tracks
inline constexpr double kLongestShotS = 1e6;
inline constexpr float kFarthestM = 1000;  // of the places of a camera, along each axis

// Time of the last key, in seconds.
double durationS(const Shot& shot);

// Frames from time 0 on that begin before the last key; at least one. The last key is the end: ten seconds at 30 frames a
// second are 300 frames, and a shot that ends as it begins loops.
double framesOf(const Shot& shot, float framesPerSecond);

// Time of frame n, from 0 on: n / rate, or the time of a key that differs by no more than the rounding of the rate.
double frameTimeS(const Shot& shot, long frame, float framesPerSecond);

// Times of the keys of all tracks, rising.
std::vector<double> keyTimes(const Shot& shot);

// Multiplies all times.
void scaleTimes(Shot& shot, double factor);

// Returns the value of a track at a time: a key's value at the key, the first and the last value outside. Needs at least
// one key. Between two keys the value lies between theirs: in diopters, logarithms and so on, as `how` says.
// Smooth is the monotone cubic of Fritsch and Carlson (1980) with the tangents of Fritsch and Butland (1984).
float valueAt(Interpolation how, std::span<const Key> keys, double timeS);

// The handles of a bezier that goes from key i to the next one as the key's own easing does; kHandles where a
// value is held. For the camera, as the eye goes.
Handles handlesLike(Interpolation how, std::span<const Key> keys, std::size_t i);
Handles handlesLike(std::span<const CameraKey> keys, std::size_t i);

// Returns the camera's place at a time. Both places follow centripetal Catmull-Rom curves (Yuksel et al. 2011) through the
// keys. Each segment is walked by arc length, with the easing of its first key; eye and target have their own speeds.
struct CameraPlace {
  glm::vec3 eyeM, lookAtM;
};
CameraPlace cameraAt(std::span<const CameraKey> keys, double timeS);

// Places an orbit camera at `place`: the eye and the direction are exact but for the limits of pitch, distance and target.
void placeCamera(CameraSettings& camera, const CameraPlace& place);

// The roll of a camera with these axes, of length 1: 0 if its right is level. A vertical view turns as placeCamera() has it.
float rollDegreesOf(const glm::vec3& forward, const glm::vec3& right);

// Returns the place of an orbit camera.
CameraPlace placeOf(const CameraSettings& camera);

// Returns `base` with the values of the shot at a time. A track of the focus distance turns the autofocus off, unless the
// autofocus has a track.
Settings settingsAt(const Shot& shot, const Settings& base, double timeS);

// Why the tracks do not fit together; usually empty.
std::string flawOf(const Shot& shot);

// Whether the shot sets the field.
bool animates(const Shot& shot, std::string_view field);

}  // namespace satdof
