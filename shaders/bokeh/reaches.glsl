#include "shaders/common/shared.glsl"

// Whether a sprite at s may reach a pixel of from..to - 1. `reach`: of apertureReach().
SHADER_FUNCTION bool reaches(vec2 s, float reach, float anamorphicRatio, ivec2 from, ivec2 to) {
  vec2 away = (clamp(s, vec2(from), vec2(to)) - s) / vec2(anamorphicRatio, 1.0f);
  return dot(away, away) < reach * reach;
}
