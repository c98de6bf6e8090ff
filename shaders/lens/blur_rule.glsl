// The signed radius in pixels by BLUR_RULE: BLUR_THIN_LENS or BLUR_LINEAR. setBlurRule() sets the uniforms.
#include "shaders/lens/thin_lens.glsl"

#define BLUR_THIN_LENS 0
#define BLUR_LINEAR 1

uniform ThinLens lens;  // BLUR_LINEAR: only the anamorphic ratio

#if BLUR_RULE == BLUR_THIN_LENS
float signedRadius(float depth) { return signedRadius(lens, depth); }
#else
uniform float nearM, focusM, rangeM, fullRadiusPx;
float signedRadius(float depth) { return linearRadius(depth, nearM, focusM, rangeM, fullRadiusPx); }
#endif
