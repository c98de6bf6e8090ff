#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/shot.h"

// Edits of shots: keys are set, moved, copied and removed.
namespace satdof {

// Names Shot::camera where others name a field.
inline constexpr std::string_view kCameraPath = "camera";

// A key of a track, or of the camera.
struct KeyId {
  std::string field;  // Field::path(), or kCameraPath
  double timeS = 0;
  auto operator<=>(const KeyId&) const = default;  // NOLINT(modernize-use-nullptr): there is no pointer
};

// Keys in all tracks.
std::size_t keyCount(const Shot& shot);

// The name of what moves with the field: kCameraPath for fields that Shot::camera sets, else the field.
std::string_view trackOf(const Shot& shot, std::string_view field);

// The fields that have their keys at the times of `field`, and `field`: the object and coordinates of a tracked point.
std::vector<std::string_view> keyedWith(std::string_view field);

// The field's value as a key has it; none if it takes no keys.
std::optional<float> keyValue(const Settings& settings, std::string_view field);

// Returns the key; none if there is none. Throws nothing.
const Key* findKey(const Shot& shot, const KeyId& id);
bool hasKey(const Shot& shot, const KeyId& id);
// Times of the keys of a track, rising.
std::vector<double> keyTimes(const Shot& shot, std::string_view track);

// Sets a key of the track of `field` at a time, with the value that `settings` has. A new key has the easing of the key
// before. A key that ends the autofocus brings one of the focus along, and one of a tracked point all its fields. `field` takes keys.
void setKey(Shot& shot, const Settings& settings, std::string_view field, double timeS);
// The value of a key that exists, of a track of a field.
void setValue(Shot& shot, const KeyId& id, float value);
// Removes keys; a track goes with its last one.
void removeKeys(Shot& shot, const std::set<KeyId>& ids);
// Removes the keys of a track between two times, both included.
void removeKeys(Shot& shot, std::string_view track, double fromS, double toS);
void setEasing(Shot& shot, const std::set<KeyId>& ids, Easing easing, const Handles& handles = kHandles);
// Of a key that exists.
std::pair<Easing, Handles> easingOf(const Shot& shot, const KeyId& id);
// Moves keys by a time, not before 0; with `copies`, the old ones stay. They replace keys at the same times. `ids` then
// names the keys where they are. A time that is a frame's but for rounding becomes the frame's.
void moveKeys(Shot& shot, std::set<KeyId>& ids, double byS, bool copies, float framesPerSecond);
// The same, where the time of each key from `fixedS` on is multiplied by `factor`, above 0.
void scaleKeys(Shot& shot, std::set<KeyId>& ids, double fixedS, double factor, float framesPerSecond);
// The times of the first and the last of the keys, of which there is one.
std::pair<double, double> spanOf(const std::set<KeyId>& ids);

// The time of the nearest frame, not before 0.
double nearestFrameS(double timeS, float framesPerSecond);

// The tracks of `after` that `before` has not or has with other keys, and the one of the autofocus.
Shot changedTracks(const Shot& before, const Shot& after);

}  // namespace satdof
