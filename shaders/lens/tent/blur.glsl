// The tent lens at a pixel.
#include "shaders/lens/blur_rule.glsl"
#include "shaders/lens/tent/tent.glsl"

layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;  // the table of the table
uniform bool transposed;
uniform ivec2 size;
uniform int shrink;
uniform int widest;
uniform float scale;

vec4 blurredAt(ivec2 pixel) {
  TentRule rule = TentRule(lens, size, shrink, widest, scale, 0.0);
  return tentBlurred(table, transposed, rule, pixel, texelFetch(colour, pixel, 0),
                     signedRadius(texelFetch(depth, pixel, 0).x));
}
