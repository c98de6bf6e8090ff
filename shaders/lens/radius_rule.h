#pragma once
#include "shaders/lens/thin_lens.h"

namespace satdof {

// How depth becomes a signed radius. Lengths in metres, radii in pixels.
struct alignas(16) RadiusRule {
  ThinLens lens;   // if linear, only its anamorphic ratio is read
  int linear = 0;  // 1: linearRadius() of shaders/lens/thin_lens.glsl in place of the thin lens
  // Parameters of linearRadius().
  float nearM = 0.1f, focusM = 1.0f, rangeM = 1.0f, fullRadiusPx = 0.0f;
  bool operator==(const RadiusRule&) const = default;
};

namespace glsl {
#include "shaders/lens/radius_rule.glsl"
}  // namespace glsl

}  // namespace satdof
