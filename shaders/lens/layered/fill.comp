#version 450 core
// The image for hole filling, at half the resolution: sums over 2 x 2 pixels of (colour w, w), and of R w in the right
// half of the image. w falls from 1 in focus to 0 at R = -fillRange. It falls slowly, because a tenth of a box can fill
// a hole, which multiplies changes of w by ten.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
uniform float fillScale;
uniform float ceiling_;
uniform float radiusScale;
uniform float fillRange;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 0, rgba32ui) writeonly uniform uimage2D fill;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colour, 0), halfSize = (size + 1) / 2;
  if (any(greaterThanEqual(p, halfSize))) return;
  vec4 sum = vec4(0.0);
  float radius = 0.0;
  for (int i = 0; i < 4; ++i) {
    ivec2 at = 2 * p + ivec2(i & 1, i >> 1);
    if (any(greaterThanEqual(at, size))) continue;
    float r = signedRadius(texelFetch(depth, at, 0).r);
    float w = clamp(1.0 - (-r - 0.0625) / fillRange, 0.0, 1.0);
    sum += vec4(min(texelFetch(colour, at, 0).rgb, vec3(ceiling_)), 1.0) * w;
    radius += max(r, 0.0) * w;
  }
  imageStore(fill, p, roundDithered(sum * fillScale, uvec2(p)));
  imageStore(fill, ivec2(p.x + halfSize.x, p.y), uvec4(uint(radius * radiusScale + 0.5), 0u, 0u, 0u));
}
