#ifndef SHADERS_BOKEH_OWN_SURFACES_GLSL
#define SHADERS_BOKEH_OWN_SURFACES_GLSL
#include "shaders/common/shared.glsl"

// Surfaces less than `margin` nearer than a sprite, for a sprite of at most kOwnFromPx, do not hide it: they may be its own.
// The cell of a larger sprite is wider, and the lights in it differ more. No camera of `quality cameras` shows the limit.
const float kOwnFromPx = 8.0f;
SHADER_FUNCTION float ownSurfaces(float spriteRadius, float margin) {
  return margin * max(abs(spriteRadius) / kOwnFromPx, 1.0f);
}

#endif
