// A bokeh sprite on the way from its collector to the pixels.
#ifndef SHADERS_BOKEH_SPRITE_RULE_GLSL
#define SHADERS_BOKEH_SPRITE_RULE_GLSL
#include "shaders/lens/aperture/aperture.glsl"
#include "shaders/lens/thin_lens.glsl"

#ifndef __cplusplus
struct SpriteRule {  // see shaders/bokeh/sprite.h
  ThinLens lens;
  Aperture aperture;
  int scattered, blended, alone;
  float nearest, margin;
};
#endif

// Surfaces less than `margin` nearer than a sprite, for a sprite of at most kOwnFromPx, do not hide it: they may be its own.
// The cell of a larger sprite is wider, and the lights in it differ more. No camera of `quality cameras` shows the limit.
const float kOwnFromPx = 8.0f;
SHADER_FUNCTION float ownSurfaces(float spriteRadius, float margin) {
  return margin * max(abs(spriteRadius) / kOwnFromPx, 1.0f);
}

// Whether a sprite at s may reach a pixel of from..to - 1. `reach`: of apertureReach().
SHADER_FUNCTION bool reaches(vec2 s, float reach, float anamorphicRatio, ivec2 from, ivec2 to) {
  vec2 away = (clamp(s, vec2(from), vec2(to)) - s) / vec2(anamorphicRatio, 1.0f);
  return dot(away, away) < reach * reach;
}

// The mean depth of a pixel of blended surfaces, from its sums: BlendedLayer in app/device/scene_frame.h.
SHADER_FUNCTION float meanDepth(vec4 sums) { return sums.x / max(sums.w, 1e-4f); }

struct PreparedSprite {
  vec4 place;  // centre, signed radius, apertureReach()
  vec4 light;  // of each covered pixel; 1 if a surface may hide a part
  vec4 shape;  // variance along x, covariance, variance along y; apertureSolid()
};

#endif
