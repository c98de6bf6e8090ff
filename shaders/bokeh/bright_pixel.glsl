#include "shaders/bokeh/bokeh.glsl"
#include "shaders/bokeh/radius.glsl"

layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
uniform float threshold, minRadiusPx;

struct Highlight {
  uint kind;  // 0: none
  float radius;
  vec3 light;
};

Highlight highlightAt(ivec2 pixel) {
  vec3 c = texelFetch(colour, pixel, 0).rgb;
  float radius = signedRadius(texelFetch(depth, pixel, 0).x);
  float part = highlightPart(luminance(c.r, c.g, c.b), radius, threshold, minRadiusPx);
  return Highlight(part > 0.0 ? highlightKind(radius) : 0u, radius, c * part);
}
