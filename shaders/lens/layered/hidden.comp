#version 450 core
// Draws the hidden near field, and level 0 of the pyramid of its sums: shaders/lens/layered/hidden.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/hidden.glsl"
layout(binding = kHiddenSceneDepth) uniform sampler2D depth;
layout(binding = kHiddenFillRadii) uniform sampler2D fillRadii;
layout(binding = kHiddenBehindColour) uniform sampler2D behindColour;
layout(binding = kHiddenBehindDepth) uniform sampler2D behindDepth;
layout(binding = kHiddenLight, rgba16f) writeonly uniform image2D light;
layout(binding = kHiddenDepth, r32f) writeonly uniform image2D lightDepth;
layout(binding = kHiddenSums, rgba32f) writeonly uniform image2D sums;
layout(std140, binding = 0) uniform Rule { HiddenRule rule; };

void main() {
  ivec2 cell = ivec2(gl_GlobalInvocationID.xy), size = textureSize(depth, 0);
  if (any(greaterThanEqual(cell, imageSize(sums)))) return;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; ++i) {
    ivec2 p = 2 * cell + ivec2(i & 1, i >> 1), inside = min(p, size - 1);
    HiddenNear pixel = hiddenNear(fillRadii, rule.lens, vec2(inside) + 0.5,
                                  signedRadius(rule.lens, texelFetch(depth, inside, 0).r),
                                  texelFetch(behindColour, inside, 0), texelFetch(behindDepth, inside, 0).r);
    sum += pixel.sums;
    if (p != inside) continue;
    imageStore(light, p, pixel.light);
    imageStore(lightDepth, p, vec4(pixel.depth));
  }
  imageStore(sums, cell, vec4(0.25 * sum, 0.0));
}
