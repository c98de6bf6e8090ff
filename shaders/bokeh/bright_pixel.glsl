#include "shaders/bokeh/bokeh.glsl"
#include "shaders/lens/thin_lens.glsl"

struct BokehRule {  // see shaders/bokeh/bokeh.h
  ThinLens lens;
  float threshold, minRadiusPx, maxRadiusPx;
};
layout(std140, binding = 0) uniform Rule { BokehRule rule; };
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;

Highlight highlightAt(ivec2 pixel) {
  float radius = signedRadius(rule.lens, texelFetch(depth, pixel, 0).x);
  return highlightOf(texelFetch(colour, pixel, 0).rgb, radius, rule.threshold, rule.minRadiusPx, rule.maxRadiusPx);
}
