#version 450 core
// Every near pixel adds its disc, of its colour and of coverage, to a picture of differences: +-(colour k, k) at the
// corners of its rectangles, k = 2^24 / area. Two scans make premultiplied colour and coverage of it: a summed-area
// table in reverse (Kosloff, Tao and Barsky 2009). Integer atomics: the order of the additions does not matter.
// What falls off the picture is reflected at its border, so that an even near field covers every pixel once.
layout(local_size_x = 16, local_size_y = 16) in;
#include "layered_common.glsl"
layout(location = 5) uniform float spreadScale;
layout(location = 6) uniform float ceiling_;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
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

uvec4 negated(uvec4 v) { return ~v + 1u; }

// A step at x < 0, with its reflection, is twice that at 0 less one at -x; at x > width, less one at 2 width - x.
void addReflectedY(ivec2 p, uvec4 v) {
  if (p.y < 0) {
    add(ivec2(p.x, 0), v + v);
    v = negated(v);
    p.y = -p.y;
  } else if (p.y > size.y) {
    v = negated(v);
    p.y = 2 * size.y - p.y;
  }
  add(p, v);
}
void addReflected(ivec2 p, uvec4 v) {
  if (p.x < 0) {
    addReflectedY(ivec2(0, p.y), v + v);
    v = negated(v);
    p.x = -p.x;
  } else if (p.x > size.x) {
    v = negated(v);
    p.x = 2 * size.x - p.x;
  }
  addReflectedY(p, v);
}

void spreadDisc(ivec2 p, int n, vec4 v) {
  uvec4 q = roundDithered(v, uvec2(p));
  for (int i = 0; i < stairRectangles(steps); ++i) {
    ivec2 h = ivec2(stairHalfWidthX(steps, i, n, stretch), stairHalfWidthY(steps, i, n));
    ivec2 low = max(p - h, -size), high = min(p + h + 1, 2 * size);
    uvec4 plus = stairSign(steps, i) > 0 ? q : negated(q), minus = negated(plus);
    addReflected(low, plus);
    addReflected(ivec2(high.x, low.y), minus);
    addReflected(ivec2(low.x, high.y), minus);
    addReflected(high, plus);
  }
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  float r = signedRadius(texelFetch(depth, p, 0).r);
  float part = nearPart(r);
  if (part <= 0.0) return;
  int n = discIndex(-r);
  float outer = discBlend(-r);
  float area = mix(float(discArea(steps, n, stretch)), float(discArea(steps, n + 1, stretch)), outer);
  vec4 v = vec4(min(texelFetch(colour, p, 0).rgb, vec3(ceiling_)), 1.0) * (part * spreadScale / area);
  if (outer < 1.0) spreadDisc(p, n, v * (1.0 - outer));
  if (outer > 0.0) spreadDisc(p, n + 1, v * outer);
}
