// The channels of an image that a lens draws apart: colour fringes, and vignetting.
#ifndef SHADERS_LENS_CHANNELS_GLSL
#define SHADERS_LENS_CHANNELS_GLSL
#include "shaders/lens/aperture/aperture.glsl"

// The place, from the centre of the first pixel, that pixel centre p shows of a channel which is 1 + growth q^2 times as large at q from
// the axis. Bilinear.
SHADER_FUNCTION vec2 channelPlace(Aperture aperture, vec2 p, float growth) {
  vec2 q = p - aperture.axisPx;
  return aperture.axisPx + q / (1.0f + growth * dot(q, q)) - 0.5f;
}

// The part of the light that the second stop leaves at pixel centre p, if `vignetting` of its shade is drawn.
SHADER_FUNCTION float lightLeft(Aperture aperture, vec2 p, float vignetting) {
  return mix(1.0f, uncutPart(aperture.catEye * length(p - aperture.axisPx)), vignetting);
}

#endif
