#include "app/core/shot/shot_edit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <type_traits>

namespace satdof {

namespace {

constexpr std::string_view kFocusPath = "lens.focusDistanceM", kAutofocusPath = "lens.autofocus";
constexpr std::string_view kTrackedPaths[] = {"lens.trackedObject", "lens.trackedX", "lens.trackedY", "lens.trackedZ"};

const Track* findTrack(const Shot& shot, std::string_view field) {
  const auto found = std::ranges::find(shot.tracks, field, &Track::field);
  return found == shot.tracks.end() ? nullptr : &*found;
}

// Calls use(keys) with the keys of a track, if the track exists.
template <class S, class Use>
void withKeys(S& shot, std::string_view track, const Use& use) {
  if (track == kCameraPath) return use(shot.camera);
  for (auto& each : shot.tracks)
    if (each.field == track) use(each.keys);
}

// Inserts a key. Replaces a key at the same time.
template <class K>
void insert(std::vector<K>& keys, K key) {
  const auto at = std::ranges::lower_bound(keys, key.timeS, {}, &K::timeS);
  if (at != keys.end() && at->timeS == key.timeS)
    *at = key;
  else
    keys.insert(at, key);
}

// Inserts a key with the easing of the last key at or before its time.
template <class K>
void insertWithEasing(std::vector<K>& keys, K key) {
  const auto after = std::ranges::upper_bound(keys, key.timeS, {}, &K::timeS);
  if (after != keys.begin()) {
    key.easing = std::prev(after)->easing;
    key.handles = std::prev(after)->handles;
  }
  insert(keys, key);
}

void setValueKey(Shot& shot, const Settings& settings, std::string_view field, double timeS) {
  const std::optional<float> value = keyValue(settings, field);
  if (!value) return;
  if (findTrack(shot, field) == nullptr) shot.tracks.push_back({std::string(field), {}});
  withKeys(shot, field, [&]<class K>(std::vector<K>& keys) {
    if constexpr (std::is_same_v<K, Key>) insertWithEasing(keys, {.timeS = timeS, .value = *value});
  });
}

void removeEmptyTracks(Shot& shot) {
  std::erase_if(shot.tracks, [](const Track& track) { return track.keys.empty(); });
}

// Moves the keys `ids` from t to timeOf(t), clamped to [0, kLongestShotS], and updates `ids`. `copies`: keeps the old
// keys, too.
void retime(Shot& shot, std::set<KeyId>& ids, const std::function<double(double)>& timeOf, bool copies,
            float framesPerSecond) {
  constexpr double kRoundingS = 1e-7;
  std::set<KeyId> moved;
  std::set<std::string> tracks;
  for (const KeyId& id : ids) tracks.insert(id.field);
  for (const std::string& track : tracks)
    withKeys(shot, track, [&]<class K>(std::vector<K>& keys) {
      const auto isMoved = [&](const K& key) { return ids.contains({track, key.timeS}); };
      std::vector<K> moving;
      std::ranges::copy_if(keys, std::back_inserter(moving), isMoved);
      if (!copies) std::erase_if(keys, isMoved);
      for (K& key : moving) {
        key.timeS = std::clamp(timeOf(key.timeS), 0.0, kLongestShotS);
        if (const double frameS = nearestFrameS(key.timeS, framesPerSecond); std::abs(frameS - key.timeS) < kRoundingS)
          key.timeS = frameS;
        insert(keys, key);
        moved.insert({track, key.timeS});
      }
    });
  ids = std::move(moved);
}

}  // namespace

std::size_t keyCount(const Shot& shot) {
  std::size_t count = shot.camera.size();
  for (const Track& track : shot.tracks) count += track.keys.size();
  return count;
}

std::string_view trackOf(const Shot& shot, std::string_view field) {
  const bool places = std::ranges::find(kPlaceFields, field) != std::end(kPlaceFields);
  return places && !shot.camera.empty() ? kCameraPath : field;
}

std::vector<std::string_view> keyedWith(std::string_view field) {
  if (std::ranges::find(kTrackedPaths, field) == std::end(kTrackedPaths)) return {field};
  return {std::begin(kTrackedPaths), std::end(kTrackedPaths)};
}

std::optional<float> keyValue(const Settings& settings, std::string_view field) {
  std::optional<float> found;
  describe(settings, [&]<class T>(const Field& each, const T& value) {
    if constexpr (isKeyed<T>)
      if (each.isAt(field) && each.takesKeys()) found = static_cast<float>(value);
  });
  return found;
}

const Key* findKey(const Shot& shot, const KeyId& id) {
  const Track* const track = findTrack(shot, id.field);
  if (track == nullptr) return nullptr;
  const auto found = std::ranges::lower_bound(track->keys, id.timeS, {}, &Key::timeS);
  return found != track->keys.end() && found->timeS == id.timeS ? &*found : nullptr;
}

bool hasKey(const Shot& shot, const KeyId& id) {
  bool found = false;
  withKeys(shot, id.field, [&]<class K>(const std::vector<K>& keys) {
    found = std::ranges::binary_search(keys, id.timeS, {}, &K::timeS);
  });
  return found;
}

std::vector<double> keyTimes(const Shot& shot, std::string_view track) {
  std::vector<double> times;
  withKeys(shot, track, [&](const auto& keys) {
    for (const auto& key : keys) times.push_back(key.timeS);
  });
  return times;
}

void setKey(Shot& shot, const Settings& settings, std::string_view field, double timeS) {
  if (trackOf(shot, field) == kCameraPath) {
    const CameraPlace place = placeOf(settings.camera);
    insertWithEasing(shot.camera, {.timeS = timeS, .eyeM = place.eyeM, .lookAtM = place.lookAtM});
    return;
  }
  for (const std::string_view each : keyedWith(field)) setValueKey(shot, settings, each, timeS);
  if (field == kAutofocusPath && !settings.lens.autofocus && findTrack(shot, kFocusPath) == nullptr)
    setValueKey(shot, settings, kFocusPath, timeS);
}

void setValue(Shot& shot, const KeyId& id, float value) {
  withKeys(shot, id.field, [&]<class K>(std::vector<K>& keys) {
    if constexpr (std::is_same_v<K, Key>)
      for (Key& key : keys)
        if (key.timeS == id.timeS) key.value = value;
  });
}

void removeKeys(Shot& shot, const std::set<KeyId>& ids) {
  for (const KeyId& id : ids)
    withKeys(shot, id.field,
             [&](auto& keys) { std::erase_if(keys, [&](const auto& key) { return key.timeS == id.timeS; }); });
  removeEmptyTracks(shot);
}

void removeKeys(Shot& shot, std::string_view track, double fromS, double toS) {
  withKeys(shot, track, [&](auto& keys) {
    std::erase_if(keys, [&](const auto& key) { return key.timeS >= fromS && key.timeS <= toS; });
  });
  removeEmptyTracks(shot);
}

void setEasing(Shot& shot, const std::set<KeyId>& ids, Easing easing, const Handles& handles) {
  for (const KeyId& id : ids)
    withKeys(shot, id.field, [&](auto& keys) {
      for (auto& key : keys)
        if (key.timeS == id.timeS) {
          key.easing = easing;
          key.handles = handles;
        }
    });
}

std::pair<Easing, Handles> easingOf(const Shot& shot, const KeyId& id) {
  std::pair found(Easing::smooth, kHandles);
  withKeys(shot, id.field, [&](const auto& keys) {
    for (const auto& key : keys)
      if (key.timeS == id.timeS) found = {key.easing, key.handles};
  });
  return found;
}

double nearestFrameS(double timeS, float framesPerSecond) {
  const double rate = framesPerSecond;
  return std::clamp(std::round(timeS * rate) / rate, 0.0, kLongestShotS) + 0.0;  // no -0
}

void moveKeys(Shot& shot, std::set<KeyId>& ids, double byS, bool copies, float framesPerSecond) {
  if (ids.empty()) return;
  byS = std::max(byS, -spanOf(ids).first);
  retime(
      shot, ids, [&](double timeS) { return timeS + byS; }, copies, framesPerSecond);
}

void scaleKeys(Shot& shot, std::set<KeyId>& ids, double fixedS, double factor, float framesPerSecond) {
  retime(
      shot, ids, [&](double timeS) { return fixedS + factor * (timeS - fixedS); }, false, framesPerSecond);
}

std::pair<double, double> spanOf(const std::set<KeyId>& ids) {
  const auto [first, last] = std::ranges::minmax_element(ids, {}, &KeyId::timeS);
  return {first->timeS, last->timeS};
}

Shot changedTracks(const Shot& before, const Shot& after) {
  Shot changed;
  for (const Track& track : after.tracks)
    if (track.field == kAutofocusPath || std::ranges::find(before.tracks, track) == before.tracks.end())
      changed.tracks.push_back(track);
  if (after.camera != before.camera) changed.camera = after.camera;
  return changed;
}

}  // namespace satdof
