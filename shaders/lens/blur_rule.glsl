// The radius by the rule in use: BLUR_RULE is BLUR_THIN_LENS or BLUR_LINEAR. Uniforms set by setBlurRule().
#include "shaders/lens/thin_lens.glsl"

#define BLUR_THIN_LENS 0
#define BLUR_LINEAR 1

uniform float anamorphicRatio;  // of the kernel along x; the radius is that along y

#if BLUR_RULE == BLUR_THIN_LENS
uniform float cocAlpha, cocBeta;
uniform vec2 sideScale;  // multipliers of the radius: near, far
float signedRadius(float depth) {
  return scaledRadius(thinLensRadius(depth, cocAlpha, cocBeta), sideScale.x, sideScale.y);
}
#else
uniform float nearM, focusM, rangeM, fullRadiusPx;
float signedRadius(float depth) { return linearRadius(depth, nearM, focusM, rangeM, fullRadiusPx); }
#endif
