#version 450 core
// The picture without its near field: near pixels take colour and radius from what is behind them, either the second
// depth layer or the mean of the non-near pixels in a box that grows until they cover a tenth of it. Writes that colour
// and radius, and the far field's weighted picture (colour w, w), w = clamp(R, 0, 1): nothing in focus leaks.
layout(local_size_x = 16, local_size_y = 16) in;
#include "layered_common.glsl"
#define SatSampler usampler2D
#define SatElement uvec4
#include "box_sum.glsl"
layout(location = 5) uniform float farScale;
layout(location = 6) uniform float ceiling_;
layout(location = 7) uniform int largestFill;
layout(location = 8) uniform float fillRadiusScale;
layout(location = 9) uniform float fillScale;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform usampler2D fillTable;
layout(binding = 3) uniform usampler2D fillRadiusTable;
layout(binding = 4) uniform sampler2D behindColour;
layout(binding = 5) uniform sampler2D behindDepth;
layout(location = 10) uniform bool secondLayer;
layout(location = 11) uniform bool transposed;
layout(binding = 0, rgba16f) writeonly uniform image2D background;
layout(binding = 1, r32f) writeonly uniform image2D backgroundRadius;
layout(binding = 2, rgba32ui) writeonly uniform uimage2D farPicture;

vec4 filled(ivec2 p, ivec2 size) {
  for (int h = 3;; h = (h * 3 + 1) / 2) {
    h = min(h, largestFill);
    ivec2 low = max(p - h, ivec2(0)), high = min(p + h + 1, size);
    uvec4 sum = boxSum(fillTable, transposed, low, high);
    float coverage = float(sum.w) / (fillScale * float((high.x - low.x) * (high.y - low.y)));
    if (coverage > 0.1 || (h == largestFill && sum.w > 0u)) {
      uvec4 radius = boxSum(fillRadiusTable, transposed, low, high);
      return vec4(vec3(sum.rgb) / float(sum.w), radius.w > 0u ? float(radius.x) / float(radius.w) : 0.0);
    }
    if (h == largestFill) return vec4(texelFetch(colour, p, 0).rgb, 0.0);
  }
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  vec3 c = texelFetch(colour, p, 0).rgb;
  float r = signedRadius(texelFetch(depth, p, 0).r);
  float n = nearWeight(r);
  r = max(r, 0.0);
  if (n > 0.0) {
    float behindR = secondLayer ? signedRadius(texelFetch(behindDepth, p, 0).r) : -1.0;
    vec4 behind = behindR >= 0.0 ? vec4(texelFetch(behindColour, p, 0).rgb, behindR) : filled(p, size);
    c = mix(c, behind.rgb, n);
    r = mix(r, behind.w, n);
  }
  float w = clamp(r, 0.0, 1.0);
  imageStore(background, p, vec4(c, 1.0));
  imageStore(backgroundRadius, p, vec4(r));
  imageStore(farPicture, p, uvec4(vec4(min(c, vec3(ceiling_)), ceiling_) * (w * farScale) + 0.5));
}
