#include "shaders/bokeh/bokeh.glsl"
#include "shaders/bokeh/radius.glsl"

layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
uniform float threshold, minRadiusPx;

Highlight highlightAt(ivec2 pixel) {
  float radius = signedRadius(texelFetch(depth, pixel, 0).x);
  return highlightOf(texelFetch(colour, pixel, 0).rgb, radius, threshold, minRadiusPx);
}
