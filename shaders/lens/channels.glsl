// Lateral colour and vignetting of a finished image.
#ifndef SHADERS_LENS_CHANNELS_GLSL
#define SHADERS_LENS_CHANNELS_GLSL
#include "shaders/lens/aperture/aperture.glsl"

// The place in the unscaled channel that pixel centre p shows, in pixels from the centre of pixel (0, 0). The channel
// is enlarged by the factor 1 + growth q^2 at the distance of q pixels from the axis.
SHADER_FUNCTION vec2 channelPlace(Aperture aperture, vec2 p, float growth) {
  vec2 q = p - aperture.axisPx;
  return aperture.axisPx + q / (1.0f + growth * dot(q, q)) - 0.5f;
}

// The part of the light that the second stop lets through at pixel centre p. `vignetting`: 0 draws no shade, 1 all of
// it.
SHADER_FUNCTION float lightLeft(Aperture aperture, vec2 p, float vignetting) {
  return mix(1.0f, uncutPart(aperture.catEye * length(p - aperture.axisPx)), vignetting);
}

#endif
