#version 450 core
// Every near pixel adds its disc, of its colour and of coverage, to an image of differences: +-(colour k, k) at the
// corners of its rectangles, k = 2^24 / area. Two scans make premultiplied colour and coverage of it: a summed-area
// table in reverse (Kosloff, Tao and Barsky 2009). Integer atomics: the order of the additions does not matter.
// What falls off the image is reflected at its border, so that an even near field covers every pixel once.
// A plane for each channel: neighbouring pixels, mostly of one radius, add to neighbouring words.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "shaders/lens/layered/common.glsl"
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(std430, binding = 0) buffer Differences { uint differences[]; };

ivec2 size;

void add(ivec2 p, uvec4 v) {
  if (p.x >= size.x || p.y >= size.y) return;
  int at = p.y * size.x + p.x, plane = size.x * size.y;
  atomicAdd(differences[at], v.x);
  atomicAdd(differences[at + plane], v.y);
  atomicAdd(differences[at + 2 * plane], v.z);
  atomicAdd(differences[at + 3 * plane], v.w);
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

void scatterDisc(ivec2 p, int n, vec3 light, float weight) {
  uvec2 at = uvec2(p);
  uvec4 q = uvec4(scatterWord(light.r, weight, at.x, at.y, 0u), scatterWord(light.g, weight, at.x, at.y, 1u),
                  scatterWord(light.b, weight, at.x, at.y, 2u), scatterWord(1.0, weight, at.x, at.y, 3u));
  for (int i = 0; i < stairRectangles(steps); ++i) {
    ivec2 h = ivec2(stairHalfWidthX(steps, i, n, lens.anamorphicRatio), stairHalfWidthY(steps, i, n));
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
  if (nearPart(r) <= 0.0) return;
  int n = discIndex(-r);
  NearWeights weights = nearWeights(r, discArea(steps, n, lens.anamorphicRatio), discArea(steps, n + 1, lens.anamorphicRatio));
  vec3 light = texelFetch(colour, p, 0).rgb;
  if (weights.inner > 0.0) scatterDisc(p, n, light, weights.inner);
  if (weights.outer > 0.0) scatterDisc(p, n + 1, light, weights.outer);
}
