// The parameters of bokeh sprites, and a sprite prepared for the pixels.
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

// Surfaces with a radius less than this below the radius of a sprite do not hide the sprite: the sprite may belong to
// them. Returns `margin` for radii up to kOwnFromPx, above in proportion to the radius: larger sprites stand for wider
// cells, whose radii differ more.
const float kOwnFromPx = 8.0f;
SHADER_FUNCTION float ownSurfaces(float spriteRadius, float margin) {
  return margin * max(abs(spriteRadius) / kOwnFromPx, 1.0f);
}

// Whether a sprite at s may reach one of the pixels [from, to). `reach`: apertureReach().
SHADER_FUNCTION bool reaches(vec2 s, float reach, float anamorphicRatio, ivec2 from, ivec2 to) {
  vec2 away = (clamp(s, vec2(from), vec2(to)) - s) / vec2(anamorphicRatio, 1.0f);
  return dot(away, away) < reach * reach;
}

// The mean depth nearM / z of the blended surfaces at a pixel, from BlendedLayer::depth (app/device/scene_frame.h).
SHADER_FUNCTION float meanDepth(vec4 sums) { return sums.x / max(sums.w, 1e-4f); }

struct PreparedSprite {
  vec4 place;  // centre, signed radius, apertureReach()
  vec4 light;  // of each covered pixel; 1 if a surface may hide a part of the sprite, else 0
  vec4 shape;  // variance along x, covariance, variance along y; apertureSolid()
};

#endif
