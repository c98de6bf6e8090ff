#include "app/scene/model/camera_shot.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <utility>

#include "app/core/fields.h"
#include "app/scene/model/entry.h"

namespace satdof {

namespace {

constexpr double kKeysPerS = 30.0;
constexpr std::size_t kMaxPoses = 500'000;  // of nodes in all keys: about 30 ms
constexpr std::size_t kMaxKeys = kMaxShotKeys / 3;
constexpr float kNearestTargetM = 0.5f, kFarthestTargetM = 200.0f;
constexpr float kUprightDegrees = 0.05f;

// Whether the clip moves the node or an ancestor.
bool moves(const ModelData& model, const Clip& clip, int node) {
  for (; node >= 0; node = entry(model.nodes, node).parent)
    for (const Channel& channel : clip.channels)
      if (channel.node == node && channel.path != Path::weight && channel.timesS.size() > 1) return true;
  return false;
}

// A track, with a single key if all keys have the same value.
Track trackOf(const char* field, std::vector<Key> keys) {
  if (std::ranges::all_of(keys, [&](const Key& key) { return key.value == keys[0].value; })) keys.resize(1);
  return {.field = field, .keys = std::move(keys)};
}

}  // namespace

Shot cameraShot(const ModelData& model, const ModelSettings& settings, float scale) {
  const auto index = static_cast<std::size_t>(std::max(settings.camera, 1)) - 1;
  const auto clipIndex = static_cast<std::size_t>(settings.clip) - 1;
  if (index >= model.cameras.size() || settings.clip < 1 || clipIndex >= model.clips.size()) return {};
  const ModelCamera& camera = model.cameras[index];
  const Clip& clip = model.clips[clipIndex];
  if (!moves(model, clip, camera.node) || !(clip.durationS > 0.0f)) return {};
  const double lastS = static_cast<double>(clip.durationS);
  const auto maxKeys = std::clamp<std::size_t>(kMaxPoses / model.nodes.size(), 2, kMaxKeys);
  const auto intervals =
      static_cast<int>(std::clamp(std::ceil(lastS * kKeysPerS), 1.0, static_cast<double>(maxKeys) - 1.0));
  constexpr Field kFov = fieldOf("camera.verticalFovDegrees");
  const float fov =
      std::clamp(glm::degrees(camera.verticalFov), static_cast<float>(kFov.min), static_cast<float>(kFov.max));
  Shot shot;
  std::vector<Key> rolls;
  bool upright = true;
  for (int i = 0; i <= intervals; ++i) {
    const double timeS = lastS * i / intervals;
    // Clips repeat, so the pose at the end is the pose just before.
    const auto world =
        worldTransforms(model, settings.clip - 1, i < intervals ? timeS : std::nextafter(clip.durationS, 0.0f));
    const glm::mat4& at = entry(world, camera.node);
    const float length = glm::length(glm::vec3(at[2]));
    if (!(length > 0.0f)) return {};
    const glm::vec3 eye = scale * glm::vec3(at[3]), forward = -glm::vec3(at[2]) / length;
    const float lookM = std::clamp(scale * length * camera.focusDistanceM, kNearestTargetM, kFarthestTargetM);
    const glm::vec3 target = eye + lookM * forward;
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::max(std::abs(eye[axis]), std::abs(target[axis])) <= kFarthestM)) return {};
    shot.camera.push_back({.timeS = timeS, .eyeM = eye, .lookAtM = target, .easing = Easing::linear});
    const float roll = rollDegreesOf(forward, glm::normalize(glm::vec3(at[0])));
    upright = upright && std::abs(roll) < kUprightDegrees;
    rolls.push_back({.timeS = timeS, .value = roll, .easing = Easing::linear});
  }
  if (upright)
    for (Key& key : rolls) key.value = 0.0f;
  shot.tracks = {trackOf("camera.rollDegrees", std::move(rolls)),
                 {.field = "camera.verticalFovDegrees", .keys = {{.timeS = 0, .value = fov}}}};
  return shot;
}

}  // namespace satdof
