#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// The aperture of a lens: the unit disc, a regular polygon inscribed in it, or an image. A second stop cuts the
// aperture for pixels off the optical axis.
struct alignas(16) Aperture {
  glm::vec2 axisPx{0.0f};  // where the optical axis meets the image
  float catEye = 0.0f;     // offset of the second stop in radii, per pixel from the axis
  float anamorphicRatio = 1.0f;
  int blades = 0;          // 0: a disc
  float turn = 0.0f;       // angle of the first corner, radians
  float curvature = 0.0f;  // of the sides: 0 for straight sides, less than 1; 1 would be the disc
  // Spherical aberration s in pixels: light through the point a of the aperture lands at a (R + s (|a|^2 - 2/3)).
  float spherical = 0.0f;
  // Radius of the aperture in radii of the thin lens. Not 1 for an image: tables blur by a uniform disc with the
  // moments of the image.
  float scale = 1.0f;
  int image = 0;  // 1: the aperture is an image, app/lens/aperture/image.h
  bool operator==(const Aperture&) const = default;
};

namespace glsl {
#include "shaders/lens/aperture/aperture.glsl"
}  // namespace glsl

}  // namespace satdof
