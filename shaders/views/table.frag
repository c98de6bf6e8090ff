#version 450 core

#include "shaders/sat/box_sum.glsl"

// The table divided by its last element. A fixed-point table is divided by 2^32: a sum that wraps shows as a step down
// to black.
layout(binding = 2) uniform TableSampler table;
uniform bool transposed;
uniform ivec2 size;
uniform vec4 offset;
layout(location = 0) out vec4 colour;

vec4 sumUpTo(ivec2 corner) {
  return vec4(cornerSum(table, transposed, corner.x, corner.y)) + offset * float(corner.x * corner.y);
}

void main() {
  vec4 sum = sumUpTo(ivec2(gl_FragCoord.xy) + 1);
  vec4 last = WRAPS ? vec4(4294967296.0) : max(sumUpTo(size), 1e-30);
  colour = vec4(sum.rgb / last.rgb, 1.0);
}
