#include "app/scene/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <limits>

namespace satdof {

CameraFrame cameraFrame(const CameraSettings& camera) {
  const float yaw = glm::radians(camera.yawDegrees);
  const float pitch = glm::radians(camera.pitchDegrees);
  const glm::vec3 target(camera.targetXM, camera.targetYM, camera.targetZM);
  const glm::vec3 toEye(std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw));
  const glm::vec3 right(std::cos(yaw), 0.0f, -std::sin(yaw));
  return {target + camera.distanceM * toEye, right, glm::cross(toEye, right), -toEye};
}

Pinhole makePinhole(const CameraSettings& camera, glm::ivec2 size, float nearM, const ViewOffset& offset,
                    const ImagePart& part) {
  if (part.whole != glm::ivec2(0)) {
    Pinhole pinhole = makePinhole(camera, part.whole, nearM, offset);
    const glm::vec2 growth = glm::vec2(part.whole) / glm::vec2(size);
    pinhole.scale *= growth;
    pinhole.shear = pinhole.shear * growth + growth - 1.0f - 2.0f * glm::vec2(part.from) / glm::vec2(size);
    return pinhole;
  }
  Pinhole pinhole;
  pinhole.frame = cameraFrame(camera);
  pinhole.frame.eye += offset.apertureM.x * pinhole.frame.right + offset.apertureM.y * pinhole.frame.up;
  const float tangent = std::tan(glm::radians(camera.verticalFovDegrees) / 2);
  pinhole.scale = {float(size.y) / (float(size.x) * tangent), 1 / tangent};
  pinhole.shear =
      pinhole.scale * offset.apertureM / offset.focusDistanceM + glm::vec2(2.0f * camera.shiftX, 0.0f);
  pinhole.nearM = nearM;
  return pinhole;
}

glm::mat4 Pinhole::worldToClip() const {
  const glm::vec4 x(frame.right, -glm::dot(frame.right, frame.eye));
  const glm::vec4 y(frame.up, -glm::dot(frame.up, frame.eye));
  const glm::vec4 z(frame.forward, -glm::dot(frame.forward, frame.eye));
  return glm::transpose(
      glm::mat4(scale.x * x + shear.x * z, scale.y * y + shear.y * z, glm::vec4(0, 0, 0, nearM), z));
}

float Pinhole::focalPx(int heightPx) const { return 0.5f * scale.y * float(heightPx); }

float Pinhole::distanceM(const glm::vec3& point) const { return glm::dot(frame.forward, point - frame.eye); }

bool Pinhole::mayShow(const glm::vec3& centre, float radiusM) const {
  const glm::vec3 p = centre - frame.eye;
  const float z = glm::dot(frame.forward, p);
  if (z + radiusM < nearM) return false;
  const glm::vec2 xy(glm::dot(frame.right, p), glm::dot(frame.up, p));
  for (int axis = 0; axis < 2; ++axis)
    for (const float side : {-1.0f, 1.0f}) {
      const glm::vec2 plane(side * scale[axis], side * shear[axis] - 1.0f);
      if (glm::dot(plane, glm::vec2(xy[axis], z)) > radiusM * glm::length(plane)) return false;
    }
  return true;
}

float Pinhole::nearestGroundM() const {
  float nearest = std::numeric_limits<float>::infinity();
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f}) {
      const glm::vec2 slope = (glm::vec2(x, y) - shear) / scale;
      const float rise = (frame.forward + slope.x * frame.right + slope.y * frame.up).y;
      const float distance = -frame.eye.y / rise;
      if (distance >= 0) nearest = std::min(nearest, distance);
    }
  return nearest;
}

}  // namespace satdof
