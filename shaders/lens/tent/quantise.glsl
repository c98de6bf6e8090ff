// A cell of the image that the tables of the tent lens sum.
#define TableSampler usampler2D
#define TableElement uvec4
#include "shaders/lens/tent/tent.glsl"

layout(std140, binding = 0) uniform Rule { TentRule rule; };
layout(binding = 0) uniform sampler2D colour;

// See tentCell().
uvec4 cellAt(ivec2 cell) {
  ivec2 from = cell * rule.shrink, to = min(from + rule.shrink, textureSize(colour, 0));
  vec3 sum = vec3(0.0);
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) sum += tentLight(rule, texelFetch(colour, ivec2(x, y), 0).rgb);
  return tentCell(rule, cell, sum, (to.x - from.x) * (to.y - from.y));
}
