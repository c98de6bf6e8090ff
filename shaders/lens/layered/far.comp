#version 450 core
// One level of a pyramid of means. Level 0 is of shaders/lens/layered/far.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/middle.glsl"
uniform int level;
layout(binding = 0) uniform sampler2D depth;
layout(binding = 1) uniform sampler2D below;
layout(binding = 0, rgba32f) writeonly uniform image2D result;

vec3 farCell(ivec2 cell, int ofLevel) { return texelFetch(below, cell, ofLevel).xyz; }
ivec2 farSize(int ofLevel) { return textureSize(below, ofLevel); }
#include "shaders/lens/layered/far.glsl"
layout(std140, binding = 0) uniform Rule { FarRule rule; };

vec3 cellBelow(ivec2 at) {
  if (level > 0) return farCell(at, level - 1);
  return farCellOfPixel(rule.middle, signedRadius(rule.lens, texelFetch(depth, min(at, textureSize(depth, 0) - 1), 0).r));
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(result)))) return;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i) sum += cellBelow(2 * p + ivec2(i & 1, i >> 1));
  imageStore(result, p, vec4(0.25 * sum, 0.0));
}
