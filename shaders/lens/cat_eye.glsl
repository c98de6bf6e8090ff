// Optical vignetting: a second stop of the same size, off the first by `apart` of its radii, cuts the aperture to the points a of the
// unit disc with |a + apart| <= 1.
#ifndef SHADERS_LENS_CAT_EYE_GLSL
#define SHADERS_LENS_CAT_EYE_GLSL
#include "shaders/common/shared.glsl"

// The part of the disc that is left.
SHADER_FUNCTION float uncutPart(float apart) {
  float h = min(0.5f * apart, 1.0f);
  return 1.0f - 0.63661977f * (asin(h) + h * sqrt(1.0f - h * h));
}

#endif
