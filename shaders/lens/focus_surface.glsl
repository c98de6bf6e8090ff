// The surface of focus of a tilted lens or of a curved field, in place of the plane z = S. At q pixels from the axis it
// lies at the distance z_f with nearM / z_f = nearM / S - bend(q), so R = alpha (d + bend) + beta for depth d = nearM /
// z. A lens therefore gets d + bend in place of d, and draws as with a plane: see app/lens/lens_space.h.
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

// bend at pixel centre p, in units of depth.
SHADER_FUNCTION float bendAt(FocusSurface surface, vec2 p) {
  vec2 q = p - surface.axisPx;
  return dot(surface.slope, q) + surface.curvature * dot(q, q);
}

// The depth that a lens gets at pixel centre p.
SHADER_FUNCTION float lensDepth(FocusSurface surface, float depth, vec2 p) {
  if (surface.keepsInfinity != 0 && depth <= 0.0f) return 0.0f;
  return max(depth + (bendAt(surface, p) + surface.moved), 0.0f);
}

#endif
