// The box lens at a pixel.
#include "shaders/lens/blur_rule.glsl"
#include "shaders/sat/box_sum.glsl"
#include "shaders/lens/box_mean.glsl"

layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;
uniform bool transposed;
uniform float unit;
uniform vec4 offset;

vec4 blurredAt(ivec2 pixel) {
  float radius = signedRadius(texelFetch(depth, pixel, 0).x);
  vec4 sharp = texelFetch(colour, pixel, 0);
  float weight = blurWeight(radius);
  if (weight <= 0.0) return sharp;
  vec4 mean =
      boxMean(table, transposed, textureSize(colour, 0), pixel, boxHalfWidth(radius), lens.anamorphicRatio, unit, offset);
  return mix(sharp, mean, weight);
}
