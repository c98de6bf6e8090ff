#include "app/scene/model/framing.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <optional>

#include "app/scene/model/entry.h"
#include "app/scene/model/ray.h"

namespace satdof {

namespace {

constexpr float kNearestOrbitM = 0.5f, kFarthestOrbitM = 200.0f;

// Scale of the view axis, z, of a transform.
float scaleOf(const glm::mat4& transform) { return glm::length(glm::vec3(transform[2])); }

// Distance of a camera's subject: its focus distance, else the surface in the middle of its image. None without a
// surface.
std::optional<float> subjectDistance(const ModelCamera& camera, const ModelData& model, const ModelPose& pose) {
  const glm::mat4& at = entry(pose.world, camera.node);
  if (camera.focusDistanceM > 0.0f) return camera.focusDistanceM * scaleOf(at);
  const auto hit = firstHit(model, pose, {glm::vec3(at[3]), -glm::normalize(glm::vec3(at[2]))});
  return hit ? std::optional(hit->distance) : std::nullopt;
}

// Whether the view axis is not scaled to 0.
bool hasDirection(const ModelCamera& camera, const ModelPose& pose) {
  return scaleOf(entry(pose.world, camera.node)) > 0.0f;
}

void setTarget(CameraSettings& camera, const glm::vec3& target) {
  camera.targetXM = target.x;
  camera.targetYM = target.y;
  camera.targetZM = target.z;
}

// Sets the framing to a camera of the file.
void frameByCamera(const ModelCamera& from, const ModelData& model, const ModelPose& pose, Framing& framing) {
  CameraSettings& to = framing.camera;
  const glm::mat4& at = entry(pose.world, from.node);
  const glm::vec3 eye(at[3]);
  const glm::vec3 back = glm::normalize(glm::vec3(at[2]));
  const glm::vec3 centre = bounds(model, pose).centre();
  const float subjectM = subjectDistance(from, model, pose).value_or(glm::dot(eye - centre, back));
  const float distance = std::clamp(subjectM, kNearestOrbitM, kFarthestOrbitM);
  to.yawDegrees = glm::degrees(std::atan2(back.x, back.z));
  to.pitchDegrees = glm::degrees(std::asin(std::clamp(back.y, -1.0f, 1.0f)));
  to.rollDegrees = 0.0f;
  const CameraFrame level = cameraFrame(to);
  const glm::vec3 right(at[0]);
  to.rollDegrees = glm::degrees(std::atan2(glm::dot(right, level.up), glm::dot(right, level.right)));
  if (std::abs(to.rollDegrees) < 1e-3f) to.rollDegrees = 0.0f;
  to.distanceM = distance;
  setTarget(to, eye - distance * back);
  to.verticalFovDegrees = std::clamp(glm::degrees(from.verticalFov), 5.0f, 120.0f);
  framing.focusDistanceM = from.focusDistanceM > 0.0f ? std::max(subjectM, 0.1f) : distance;
  framing.sensorHeightMm = 24.0f;
  framing.focalLengthMm = 12.0f / std::tan(0.5f * glm::radians(to.verticalFovDegrees));
}

}  // namespace

float modelScale(const ModelSettings& settings, const ModelData& model) {
  constexpr float kMin = 0.1f, kMax = 60.0f, kRadiusM = 0.5f, kSubjectM = 1.0f;
  if (settings.scale > 0.0f) return settings.scale;
  const ModelPose rest = pose(model, -1, 0.0);
  const float radius = bounds(model, rest).radius();
  if (radius <= 0.0f || (radius >= kMin && radius <= kMax)) return 1.0f;
  const float scale = kRadiusM / radius;
  if (radius < kMin || model.cameras.empty() || !hasDirection(model.cameras[0], rest)) return scale;
  const auto subject = subjectDistance(model.cameras[0], model, rest);
  return subject ? std::clamp(kSubjectM / *subject, scale, kMax / radius) : scale;
}

Framing frameModel(const ModelSettings& settings, const CameraSettings& camera, const ModelData& model,
                   const ModelPose& pose) {
  Framing framing;
  framing.camera = camera;
  const auto index = static_cast<std::size_t>(settings.camera) - 1;
  if (settings.camera > 0 && index < model.cameras.size() && hasDirection(model.cameras[index], pose)) {
    frameByCamera(model.cameras[index], model, pose, framing);
    return framing;
  }
  CameraSettings& to = framing.camera;
  const Bounds all = bounds(model, pose);
  const float radius = std::max(all.radius(), 1e-3f);
  setTarget(to, all.empty() ? glm::vec3(0.0f) : all.centre());
  to.distanceM = std::clamp(1.05f * radius / std::sin(0.5f * glm::radians(to.verticalFovDegrees)), kNearestOrbitM,
                            kFarthestOrbitM);
  to.rollDegrees = 0.0f;
  const CameraFrame frame = cameraFrame(to);
  const auto hit = firstHit(model, pose, {frame.eye, frame.forward});
  framing.focusDistanceM = std::max(hit ? hit->distance : to.distanceM - 0.4f * radius, 0.1f);
  return framing;
}

}  // namespace satdof
