// A surface of focus that is no plane z = S: of a tilted lens, or of a curved field. With q = p - axis it lies at the distance z_f,
// nearM / z_f = nearM / S - bend(q), so that R = alpha (d + bend) + beta. A lens gets d + bend in place of the depth d: see
// app/lens/lens_space.h.
#ifndef SHADERS_LENS_FOCUS_SURFACE_GLSL
#define SHADERS_LENS_FOCUS_SURFACE_GLSL
#include "shaders/common/shared.glsl"

#ifndef __cplusplus
struct FocusSurface {  // see shaders/lens/focus_surface.h
  vec2 axisPx, slope;
  float curvature, moved;
  int keepsInfinity;
};
#endif

// At pixel centre p of the image, in units of depth.
SHADER_FUNCTION float bendAt(FocusSurface surface, vec2 p) {
  vec2 q = p - surface.axisPx;
  return dot(surface.slope, q) + surface.curvature * dot(q, q);
}

SHADER_FUNCTION float lensDepth(FocusSurface surface, float depth, vec2 p) {
  if (surface.keepsInfinity != 0 && depth <= 0.0f) return 0.0f;
  return max(depth + (bendAt(surface, p) + surface.moved), 0.0f);
}

#endif
