#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// The aperture of a lens. In the unit disc: a disc, a regular polygon inscribed in it, or an image; for pixels off the optical axis,
// cut by a second stop.
struct alignas(16) Aperture {
  glm::vec2 axisPx{0.0f};  // where the optical axis meets the image
  float catEye = 0.0f;     // by how many radii a pixel the second stop is off the first
  float anamorphicRatio = 1.0f;
  int blades = 0;          // 0: a disc
  float turn = 0.0f;       // angle of the first corner, radians
  float curvature = 0.0f;  // of the sides: 0 to below 1, which would be the disc
  float spherical = 0.0f;  // radius that light of the edge has, less that of light of the centre, in pixels
  float scale = 1.0f;  // radius of the disc in radii of the thin lens: of tables, which blur by an even disc
  int image = 0;       // 1: app/lens/aperture/image.h
  bool operator==(const Aperture&) const = default;
};

namespace glsl {
#include "shaders/lens/aperture/aperture.glsl"
}  // namespace glsl

}  // namespace satdof
