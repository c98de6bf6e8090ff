// The box lens at a pixel.
#include "shaders/lens/radius_rule.glsl"
#include "shaders/sat/box_sum.glsl"
#include "shaders/lens/box_mean.glsl"

struct BoxRule {  // see shaders/lens/box/rule.h
  RadiusRule radius;
  vec4 offset;
  float unit;
  int floats;
};
layout(std140, binding = 0) uniform Rule { BoxRule rule; };
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;
uniform bool transposed;

vec4 blurredAt(ivec2 pixel) {
  float radius = radiusOf(rule.radius, texelFetch(depth, pixel, 0).x);
  vec4 sharp = texelFetch(colour, pixel, 0);
  float weight = blurWeight(radius);
  if (weight <= 0.0) return sharp;
  vec4 mean = boxMean(table, transposed, textureSize(colour, 0), pixel, boxHalfWidth(radius),
                      rule.radius.lens.anamorphicRatio, rule.unit, rule.offset);
  return mix(sharp, mean, weight);
}
