#version 450 core
// Draws one level of the pyramid of shaders/lens/layered/fill.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/fill.glsl"
uniform int level;
layout(binding = kFillColour) uniform sampler2D colour;
layout(binding = kFillDepth) uniform sampler2D depth;
layout(binding = kFillBehindColour) uniform sampler2D behindColour;
layout(binding = kFillBehindDepth) uniform sampler2D behindDepth;
layout(binding = kFillReads + kFillBehind) uniform sampler2D behindBelow;
layout(binding = kFillReads + kFillRadii) uniform sampler2D radiiBelow;
layout(std140, binding = 0) uniform Rule { FillRule rule; };
layout(binding = kFillBehind, rgba16f) writeonly uniform image2D behind;
layout(binding = kFillRadii, rgba16f) writeonly uniform image2D radii;

// A cell of the level below; a pixel below level 0.
FillCell cellBelow(ivec2 at) {
  if (level > 0) return FillCell(texelFetch(behindBelow, at, level - 1), texelFetch(radiiBelow, at, level - 1));
  at = min(at, textureSize(colour, 0) - 1);
  vec4 second = vec4(0.0);
  float secondRadius = 0.0;
  if (rule.secondLayer != 0) {
    second = texelFetch(behindColour, at, 0);
    secondRadius = signedRadius(rule.lens, texelFetch(behindDepth, at, 0).r);
  }
  return cellOfPixel(texelFetch(colour, at, 0).rgb, signedRadius(rule.lens, texelFetch(depth, at, 0).r), second,
                     secondRadius, rule.ceiling);
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(behind)))) return;
  FillCell cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = cellBelow(2 * p + ivec2(i & 1, i >> 1));
  FillCell cell = mergedCell(cells);
  imageStore(behind, p, cell.behind);
  imageStore(radii, p, cell.radii);
}
