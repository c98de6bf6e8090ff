// The functions that shaders/bokeh/sprite.glsl needs, from the depth of the scene, the blended surfaces behind the
// focus plane (BlendedLayer in app/device/scene_frame.h) and the table of the aperture.
#include "shaders/bokeh/sprite_rule.glsl"
layout(binding = 1) uniform sampler2D depth;
layout(binding = 3) uniform sampler2D backColour;
layout(binding = 4) uniform sampler2D backDepth;
layout(binding = 5) uniform sampler2D apertureTable;
float apertureSumAt(ivec2 corner) { return texelFetch(apertureTable, corner, 0).x; }
float depthAt(ivec2 pixel) { return texelFetch(depth, pixel, 0).x; }
vec4 depthsAt(ivec2 pixel) { return textureGather(depth, (vec2(pixel) + 1.0) / vec2(textureSize(depth, 0))).wzxy; }
vec2 blendedAt(ivec2 pixel) {
  pixel = clamp(pixel, ivec2(0), textureSize(backColour, 0) - 1);
  return vec2(texelFetch(backColour, pixel, 0).a, meanDepth(texelFetch(backDepth, pixel, 0)));
}
