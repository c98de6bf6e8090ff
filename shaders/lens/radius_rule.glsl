// How depth becomes a signed radius: by the thin lens, or linearly in the distance.
#ifndef SHADERS_LENS_RADIUS_RULE_GLSL
#define SHADERS_LENS_RADIUS_RULE_GLSL
#include "shaders/lens/thin_lens.glsl"

#ifndef __cplusplus
struct RadiusRule {  // see shaders/lens/radius_rule.h
  ThinLens lens;
  int linear;
  float nearM, focusM, rangeM, fullRadiusPx;
};
#endif

// The signed radius at depth nearM / z.
SHADER_FUNCTION float radiusOf(RadiusRule rule, float depth) {
  if (rule.linear != 0) return linearRadius(depth, rule.nearM, rule.focusM, rule.rangeM, rule.fullRadiusPx);
  return signedRadius(rule.lens, depth);
}

#endif
