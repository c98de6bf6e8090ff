#include "shaders/bokeh/bokeh.glsl"

layout(std140, binding = 0) uniform Rule { BokehRule rule; };
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;

Highlight highlightAt(ivec2 pixel) {
  return highlightOf(rule, texelFetch(colour, pixel, 0).rgb, texelFetch(depth, pixel, 0).x);
}
