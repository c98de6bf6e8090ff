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
  const glm::vec3 up = glm::cross(toEye, right);
  if (camera.rollDegrees == 0.0f) return {target + camera.distanceM * toEye, right, up, -toEye};
  const float roll = glm::radians(camera.rollDegrees), c = std::cos(roll), s = std::sin(roll);
  return {target + camera.distanceM * toEye, c * right + s * up, c * up - s * right, -toEye};
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
  pinhole.shear = pinhole.scale * offset.apertureM / offset.focusDistanceM +
                  2.0f * (glm::vec2(camera.shiftX, camera.shiftY) + offset.pixel / glm::vec2(size));
  pinhole.nearM = nearM;
  pinhole.apertureM = offset.apertureM;
  pinhole.tilt = offset.tilt;
  return pinhole;
}

glm::mat4 Pinhole::worldToClip() const {
  const glm::vec4 x(frame.right, -glm::dot(frame.right, frame.eye));
  const glm::vec4 y(frame.up, -glm::dot(frame.up, frame.eye));
  const glm::vec4 z(frame.forward, -glm::dot(frame.forward, frame.eye));
  const auto clip = [&](int axis) {
    const glm::vec4 row = ndcRow(axis);
    return row.x * x + row.y * y + row.z * z + glm::vec4(0.0f, 0.0f, 0.0f, row.w);
  };
  return glm::transpose(glm::mat4(clip(0), clip(1), glm::vec4(0, 0, 0, nearM), z));
}

glm::vec4 Pinhole::ndcRow(int axis) const {
  const glm::vec2 moved = -scale[axis] * apertureM[axis] * tilt;
  glm::vec4 row(moved, shear[axis], glm::dot(moved, apertureM));
  row[axis] += scale[axis];
  return row;
}

glm::mat2 Pinhole::unskewed() const { return glm::inverse(glm::mat2(1.0f) - glm::outerProduct(apertureM, tilt)); }

// All points of the aperture see a point of the focus plane at the same ndc, so the shear from the centre of the
// aperture gives its slopes: (x, y) / z = (ndc - centreShear) / scale.
glm::vec4 Pinhole::behindFocus(const ViewOffset& offset) const {
  const glm::vec2 slope = offset.focusDistanceM * offset.tilt / scale;
  const glm::vec2 centreShear = shear - scale * apertureM / offset.focusDistanceM;
  return {-slope, 1.0f + glm::dot(slope, centreShear), -offset.focusDistanceM};
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
      const glm::vec4 row = ndcRow(axis);
      const glm::vec3 plane = side * glm::vec3(row) - glm::vec3(0.0f, 0.0f, 1.0f);
      if (glm::dot(plane, glm::vec3(xy, z)) + side * row.w > radiusM * glm::length(plane)) return false;
    }
  return true;
}

// The visible part of the box is convex, so its nearest point is a corner. Its corners are the ends of the 12 edges of
// the box after clipping to the 4 borders of the image, and the points where the rays through the 4 corners of the
// image enter the box.
float Pinhole::nearestInBoxM(const glm::vec3& low, const glm::vec3& high) const {
  double nearest = std::numeric_limits<double>::infinity();
  const glm::dvec3 eye(frame.eye), right(frame.right), up(frame.up), forward(frame.forward);
  const glm::dvec3 from = glm::dvec3(low) - eye, to = glm::dvec3(high) - eye;
  const auto beyond = [&](int border, const glm::dvec3& p) {  // > 0 outside the image
    const double side = border < 2 ? -1.0 : 1.0, along = glm::dot(border % 2 == 0 ? right : up, p);
    return side * double(scale[border % 2]) * along + (side * double(shear[border % 2]) - 1.0) * glm::dot(forward, p);
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      glm::dvec3 a = from;
      if ((corner & 1) != 0) a[(axis + 1) % 3] = to[(axis + 1) % 3];
      if ((corner & 2) != 0) a[(axis + 2) % 3] = to[(axis + 2) % 3];
      glm::dvec3 b = a;
      b[axis] = to[axis];
      double first = 0.0, last = 1.0;
      for (int border = 0; border < 4; ++border) {
        const double atA = beyond(border, a), atB = beyond(border, b);
        if (atA > 0.0 && atB > 0.0) last = -1.0;
        if (atA > 0.0 && atB <= 0.0) first = std::max(first, atA / (atA - atB));
        if (atA <= 0.0 && atB > 0.0) last = std::min(last, atA / (atA - atB));
      }
      if (first <= last)
        nearest =
            std::min({nearest, glm::dot(forward, glm::mix(a, b, first)), glm::dot(forward, glm::mix(a, b, last))});
    }
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f}) {
      const glm::dvec2 slope = (glm::dvec2(x, y) - glm::dvec2(shear)) / glm::dvec2(scale);
      const glm::dvec3 ray = forward + slope.x * right + slope.y * up;
      double enters = 0.0, leaves = std::numeric_limits<double>::infinity();
      for (int axis = 0; axis < 3; ++axis) {
        const double a = from[axis] / ray[axis], b = to[axis] / ray[axis];  // NaN: along a face
        enters = std::max(enters, std::min(a, b));
        leaves = std::min(leaves, std::max(a, b));
      }
      if (enters <= leaves) nearest = std::min(nearest, enters);
    }
  return static_cast<float>(nearest);
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
