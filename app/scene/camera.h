#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"

namespace satdof {

// Near plane of every scene with geometry.
inline constexpr float kNearM = 0.1f;

// Eye and axes of an orbit camera. World space, metres, y up.
struct CameraFrame {
  glm::vec3 eye, right, up, forward;
};
CameraFrame cameraFrame(const CameraSettings& camera);

// The point of the aperture from which an image is taken. Off the centre, the view is sheared so that the
// plane of focus stays in place: the mean over the aperture is the image of a thin lens. The plane lies at the distance z with
// 1 / z = 1 / focusDistanceM - tilt . (x / z, y / z).
struct ViewOffset {
  glm::vec2 apertureM{0.0f};  // right, up
  float focusDistanceM = 1.0f;
  float nearScale = 1.0f;  // multiplies apertureM for geometry in front of the focus plane
  float farScale = 1.0f;   // and behind the focus plane
  glm::vec2 tilt{0.0f};    // 1 / m
  glm::vec2 pixel{0.0f};   // by which the image moves
};

// The pinhole image from one point of the aperture. With (x, y, z) along right, up and forward from that
// point, ndc = scale ((x, y) - apertureM (tilt . ((x, y) + apertureM))) / z + shear and depth = nearM / z.
struct Pinhole {
  CameraFrame frame;  // eye: the point of the aperture
  glm::vec2 scale;
  glm::vec2 shear;
  float nearM;
  glm::vec2 apertureM{0.0f}, tilt{0.0f};  // of the ViewOffset

  // ndc z along an axis as a plane: dot(row, (x, y, z, 1)).
  glm::vec4 ndcRow(int axis) const;
  // Of points at infinity: (x, y) / z = unskewed() (ndc - shear) / scale.
  glm::mat2 unskewed() const;
  // dot(this, (clip coordinates x, y, w, 1)) is 0 in the plane of focus of `offset`, and above 0 behind it.
  glm::vec4 behindFocus(const ViewOffset& offset) const;

  glm::mat4 worldToClip() const;
  // SceneFacts::focalPx of an image of this height.
  float focalPx(int heightPx) const;
  // Distance along the view axis.
  float distanceM(const glm::vec3& point) const;
  // False only if the whole sphere is outside the image; a visible sphere always gives true.
  bool mayShow(const glm::vec3& centre, float radiusM) const;
  // The smallest distance in the image of the box between two corners; infinity if the image does not show the box.
  float nearestInBoxM(const glm::vec3& low, const glm::vec3& high) const;
  // The smallest distance of the plane y = 0 in the image; infinity if the image does not show the plane.
  float nearestGroundM() const;
};

// `size` in pixels, of the image or of the part of it. Uses offset.apertureM unscaled.
Pinhole makePinhole(const CameraSettings& camera, glm::ivec2 size, float nearM, const ViewOffset& offset,
                    const ImagePart& part = {});

}  // namespace satdof
