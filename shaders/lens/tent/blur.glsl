// The tent lens at a pixel.
#define TableSampler usampler2D
#define TableElement uvec4
#include "shaders/lens/tent/tent.glsl"

layout(std140, binding = 0) uniform Rule { TentRule rule; };
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;  // the table of the table
uniform bool transposed;

vec4 blurredAt(ivec2 pixel) {
  return tentBlurred(table, transposed, rule, pixel, texelFetch(colour, pixel, 0),
                     signedRadius(rule.lens, texelFetch(depth, pixel, 0).x));
}
