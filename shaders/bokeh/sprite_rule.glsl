// A bokeh sprite on the way from its collector to the pixels.
#ifndef SHADERS_BOKEH_SPRITE_RULE_GLSL
#define SHADERS_BOKEH_SPRITE_RULE_GLSL
#include "shaders/bokeh/aperture.glsl"

#ifndef __cplusplus
struct SpriteRule {  // see shaders/bokeh/sprite.h
  ThinLens lens;
  int blades;
  float turn, curvature;
  int scattered, blended, panes, alone;
  float nearest, margin, catEye;
  vec2 axisPx;
};
#endif

SHADER_FUNCTION Aperture apertureOf(SpriteRule rule) {
  Aperture aperture;
  aperture.blades = rule.blades;
  aperture.turn = rule.turn;
  aperture.curvature = rule.curvature;
  aperture.anamorphicRatio = rule.lens.anamorphicRatio;
  return aperture;
}

struct PreparedSprite {
  vec4 place;  // centre, signed radius, apertureReach()
  vec4 light;  // of each covered pixel; 1 if a surface may hide a part
  vec4 shape;  // variance along x, covariance, variance along y; apertureSolid()
};

// The part of a covered pixel that a sprite leaves, and makes up for, as the second stop cuts the aperture there.
SHADER_FUNCTION float spriteUncut(SpriteRule rule, PreparedSprite sprite, vec2 p) {
  vec2 apart = (p - rule.axisPx) * rule.catEye;
  return uncutCoverage(apertureOf(rule), p - vec2(sprite.place.x, sprite.place.y), sprite.place.z, apart) /
         max(uncutPart(length(apart)), 0.05f);
}

// The part of pixel centre p that a sprite covers.
SHADER_FUNCTION float spriteCoverage(SpriteRule rule, PreparedSprite sprite, vec2 p) {
  vec2 from = p - vec2(sprite.place.x, sprite.place.y), away = from / vec2(rule.lens.anamorphicRatio, 1.0f);
  float squared = dot(away, away);
  if (squared >= sprite.place.w * sprite.place.w) return 0.0f;
  float uncut = rule.catEye > 0.0f ? spriteUncut(rule, sprite, p) : 1.0f;
  if (sprite.shape.w > 0.0f && squared <= sprite.shape.w * sprite.shape.w) return uncut;
  return uncut *
         apertureCoverage(apertureOf(rule), from, sprite.place.z, vec3(sprite.shape.x, sprite.shape.y, sprite.shape.z));
}

#endif
