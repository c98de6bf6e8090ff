#pragma once
#include <glm/mat4x4.hpp>

#include "app/scene/scene_pass.h"

namespace satdof {

// The pinhole image from one point of the aperture. With (x, y, z) along right, up and forward from that
// point, ndc = scale (x, y) / z + shear and depth = nearM / z.
struct Pinhole {
  CameraFrame frame;  // eye: the point of the aperture
  glm::vec2 scale;
  glm::vec2 shear;
  float nearM;

  glm::mat4 worldToClip() const;
  // Distance along the view axis.
  float distanceM(const glm::vec3& point) const;
  // Whether a sphere may reach into the image; never false for one that does.
  bool mayShow(const glm::vec3& centre, float radiusM) const;
  // The nearest distance at which the image shows the plane y = 0; infinity when it does not.
  float nearestGroundM() const;
};

// `size` in pixels. The shear keeps the plane at offset.focusDistanceM fixed.
Pinhole makePinhole(const CameraSettings& camera, glm::ivec2 size, float nearM, const ViewOffset& offset);

}  // namespace satdof
