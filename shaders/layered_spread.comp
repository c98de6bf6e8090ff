#version 450 core
// Every near pixel adds its disc, of its colour and of coverage, to a picture of differences: +-(colour k, k) at the
// corners of its rectangles, k = 2^24 / area. Two scans make premultiplied colour and coverage of it: a summed-area
// table in reverse (Kosloff, Tao and Barsky 2009). Integer atomics: the order of the additions does not matter.
// Also writes what the hole behind near pixels is filled from: (colour (1-n), 1-n) and (R (1-n), 1-n), n the near weight.
layout(local_size_x = 16, local_size_y = 16) in;
#include "layered_common.glsl"
layout(location = 5) uniform float spreadScale;
layout(location = 6) uniform float fillScale;
layout(location = 7) uniform float fillRadiusScale;
layout(location = 8) uniform float ceiling_;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 0, rgba32ui) writeonly uniform uimage2D fillColour;
layout(binding = 1, rgba32ui) writeonly uniform uimage2D fillRadius;
layout(std430, binding = 0) coherent buffer Differences { uint differences[]; };

ivec2 size;

void add(ivec2 p, uvec4 v) {
  if (p.x >= size.x || p.y >= size.y) return;
  int at = (p.y * size.x + p.x) * 4;
  atomicAdd(differences[at], v.x);
  atomicAdd(differences[at + 1], v.y);
  atomicAdd(differences[at + 2], v.z);
  atomicAdd(differences[at + 3], v.w);
}

// Rectangle `i` of disc n around p, as [low, high), clamped to the picture.
void rectangle(ivec2 p, int i, int n, out ivec2 low, out ivec2 high) {
  ivec2 h = ivec2(stairHalfWidthX(steps, i, n, stretch), stairHalfWidthY(steps, i, n));
  low = max(p - h, ivec2(0));
  high = min(p + h + 1, size);
}

int discArea(ivec2 p, int n) {
  int area = 0;
  ivec2 low, high;
  for (int i = 0; i < stairRectangles(steps); ++i) {
    rectangle(p, i, n, low, high);
    area += stairSign(steps, i) * (high.x - low.x) * (high.y - low.y);
  }
  return area;
}

void spreadDisc(ivec2 p, int n, vec4 v) {
  uvec4 q = roundDithered(v, uvec2(p));
  ivec2 low, high;
  for (int i = 0; i < stairRectangles(steps); ++i) {
    rectangle(p, i, n, low, high);
    uvec4 plus = stairSign(steps, i) > 0 ? q : ~q + 1u, minus = ~plus + 1u;
    add(low, plus);
    add(ivec2(high.x, low.y), minus);
    add(ivec2(low.x, high.y), minus);
    add(high, plus);
  }
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  vec3 c = min(texelFetch(colour, p, 0).rgb, vec3(ceiling_));
  float r = signedRadius(texelFetch(depth, p, 0).r);
  float n = nearWeight(r);
  imageStore(fillColour, p, uvec4(vec4(c * fillScale, fillScale) * (1.0 - n) + 0.5));
  imageStore(fillRadius, p, uvec4(vec4(max(r, 0.0), 0.0, 0.0, 1.0) * fillRadiusScale * (1.0 - n) + 0.5));
  if (n > 0.0) {
    int disc = discIndex(-r);
    float outer = discBlend(-r);
    float area = float(discArea(p, disc));
    if (outer > 0.0) area = mix(area, float(discArea(p, disc + 1)), outer);
    vec4 v = vec4(c, 1.0) * (n * spreadScale / area);
    spreadDisc(p, disc, v * (1.0 - outer));
    if (outer > 0.0) spreadDisc(p, disc + 1, v * outer);
  }
}
