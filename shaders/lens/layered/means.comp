#version 450 core
// Draws a level of a pyramid of means from the level below.
layout(local_size_x = 16, local_size_y = 16) in;
uniform int level;
layout(binding = 0) uniform sampler2D below;
layout(binding = 0, rgba32f) writeonly uniform image2D result;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(result)))) return;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) sum += texelFetch(below, 2 * p + ivec2(i & 1, i >> 1), level - 1);
  imageStore(result, p, 0.25 * sum);
}
