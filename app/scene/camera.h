#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"

namespace satdof {

// Distance of the near plane in every scene with geometry.
inline constexpr float kNearM = 0.1f;

// Eye and unit axes of an orbit camera. World space, metres, y up.
struct CameraFrame {
  glm::vec3 eye, right, up, forward;
};
CameraFrame cameraFrame(const CameraSettings& camera);

// The point of the aperture from which an image is taken. A view from off the centre is sheared so that the focus plane
// stays in place: the mean of the views over the aperture is the image of a thin lens. The focus plane contains the
// points (x, y, z) with 1 / z = 1 / focusDistanceM - tilt . (x / z, y / z).
struct ViewOffset {
  glm::vec2 apertureM{0.0f};  // right, up
  float focusDistanceM = 1.0f;
  float nearScale = 1.0f;  // multiplies apertureM for geometry in front of the focus plane
  float farScale = 1.0f;   // multiplies apertureM for geometry behind the focus plane
  glm::vec2 tilt{0.0f};    // 1 / m
  glm::vec2 pixel{0.0f};   // shift of the image, in pixels
};

// The pinhole projection from one point of the aperture. For (x, y, z) along right, up and forward from that point:
// ndc = scale ((x, y) - apertureM (tilt . ((x, y) + apertureM))) / z + shear, depth = nearM / z.
struct Pinhole {
  CameraFrame frame;  // eye: the point of the aperture
  glm::vec2 scale;
  glm::vec2 shear;
  float nearM;
  glm::vec2 apertureM{0.0f}, tilt{0.0f};  // as in ViewOffset

  // Row of the projection: ndc[axis] * z = dot(ndcRow(axis), (x, y, z, 1)).
  glm::vec4 ndcRow(int axis) const;
  // Matrix from ndc to slopes of points at infinity: (x, y) / z = unskewed() (ndc - shear) / scale.
  glm::mat2 unskewed() const;
  // Plane p with dot(p, (clip.x, clip.y, clip.w, 1)) = 0 on the focus plane of `offset` and > 0 behind the focus plane.
  glm::vec4 behindFocus(const ViewOffset& offset) const;

  glm::mat4 worldToClip() const;
  // SceneFacts::focalPx of an image `heightPx` high.
  float focalPx(int heightPx) const;
  // Distance of a point along the view axis.
  float distanceM(const glm::vec3& point) const;
  // Conservative visibility: false only if the whole sphere is outside the image.
  bool mayShow(const glm::vec3& centre, float radiusM) const;
  // Smallest distance of the visible part of an axis-aligned box; infinity if the box is not visible.
  float nearestInBoxM(const glm::vec3& low, const glm::vec3& high) const;
  // Smallest distance of the visible part of the plane y = 0; infinity if the plane is not visible.
  float nearestGroundM() const;
};

// Returns the projection to an image, or to `part` of an image, of `size` pixels. Does not apply nearScale and
// farScale.
Pinhole makePinhole(const CameraSettings& camera, glm::ivec2 size, float nearM, const ViewOffset& offset,
                    const ImagePart& part = {});

}  // namespace satdof
