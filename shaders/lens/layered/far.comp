#version 450 core
// Draws level 0 of the pyramid of shaders/lens/layered/far.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/layers.glsl"
layout(binding = kFarDepth) uniform sampler2D depth;
layout(binding = kFarRadii, rgba32f) writeonly uniform image2D result;
layout(std140, binding = 0) uniform Rule { FarRule rule; };

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = textureSize(depth, 0) - 1;
  if (any(greaterThanEqual(p, imageSize(result)))) return;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i)
    sum += farCellOfPixel(signedRadius(rule.lens, texelFetch(depth, min(2 * p + ivec2(i & 1, i >> 1), last), 0).r));
  imageStore(result, p, vec4(0.25 * sum, 0.0));
}
