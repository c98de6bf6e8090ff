#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/shot/shot.h"

// Edits of shots: sets, moves, copies and removes keys.
namespace satdof {

// The name of Shot::camera as a track.
inline constexpr std::string_view kCameraPath = "camera";

// A key of a track, or of the camera.
struct KeyId {
  std::string field;  // Field::path(), or kCameraPath
  double timeS = 0;
  auto operator<=>(const KeyId&) const = default;  // NOLINT(modernize-use-nullptr): there is no pointer
};

// Returns the number of keys in all tracks.
std::size_t keyCount(const Shot& shot);

// Returns the track that animates the field: kCameraPath if Shot::camera sets it, else the field.
std::string_view trackOf(const Shot& shot, std::string_view field);

// Returns all fields whose keys are set together with `field`, including `field`: a tracked point is an object and
// three coordinates.
std::vector<std::string_view> keyedWith(std::string_view field);

// Returns the value of a field as a key stores it; nothing if the field takes no keys.
std::optional<float> keyValue(const Settings& settings, std::string_view field);

// Returns the key; null if it does not exist, or for a camera key.
const Key* findKey(const Shot& shot, const KeyId& id);
bool hasKey(const Shot& shot, const KeyId& id);
// Returns the times of the keys of a track, ascending.
std::vector<double> keyTimes(const Shot& shot, std::string_view track);

// Sets a key at a time with the value in `settings`. `field` must take keys. A new key takes the easing of the key
// before it. Also sets the keys of keyedWith(field) and, for a key that turns the autofocus off without a track of the
// focus distance, one of that.
void setKey(Shot& shot, const Settings& settings, std::string_view field, double timeS);
// Sets the value of an existing key, which is not a camera key.
void setValue(Shot& shot, const KeyId& id, float value);
// Removes keys, and tracks that have no keys left.
void removeKeys(Shot& shot, const std::set<KeyId>& ids);
// Removes the keys of a track at times in [fromS, toS].
void removeKeys(Shot& shot, std::string_view track, double fromS, double toS);
void setEasing(Shot& shot, const std::set<KeyId>& ids, Easing easing, const Handles& handles = kHandles);
// Returns the easing of an existing key.
std::pair<Easing, Handles> easingOf(const Shot& shot, const KeyId& id);
// Moves the keys by `byS`, none to before 0; with `copies`, moves copies. Moved keys replace keys at the same times.
// Updates `ids` to the new times. Times within rounding of a frame snap to the frame.
void moveKeys(Shot& shot, std::set<KeyId>& ids, double byS, bool copies, float framesPerSecond);
// Moves each key from fixedS + t to fixedS + factor * t, with factor > 0; else like moveKeys().
void scaleKeys(Shot& shot, std::set<KeyId>& ids, double fixedS, double factor, float framesPerSecond);
// Returns the first and the last time of the keys. Needs at least one key.
std::pair<double, double> spanOf(const std::set<KeyId>& ids);

// Returns the time of the frame nearest to `timeS`, from 0 on.
double nearestFrameS(double timeS, float framesPerSecond);

// Returns the tracks of `after` that differ from `before` or are new, and always the track of the autofocus.
Shot changedTracks(const Shot& before, const Shot& after);

}  // namespace satdof
