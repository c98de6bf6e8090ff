#version 450 core
// The scatter, a summed-area table in reverse (Kosloff, Tao and Barsky 2009). Every pixel that is scattered adds its
// disc, in colour and coverage, to an image of differences: +-(colour k, k) at the corners of its rectangles, k = 2^24
// / area. The summed-area table of the differences is premultiplied colour and coverage. Additions are integer atomics,
// so their order does not matter. Each channel has a plane: neighbouring pixels mostly have the same radius, so they
// add to neighbouring words. LAYER: scatters all pixels of a layer of blended surfaces, with their alpha as coverage.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "shaders/lens/layered/layers.glsl"
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(std430, binding = 0) buffer Plane { uint words[]; } planes[4];

layout(std140, binding = 0) uniform Rule { ScatterRule rule; };

ivec2 size;

void add(ivec2 p, uvec4 v) {
  if (p.x >= size.x || p.y >= size.y) return;
  int at = p.y * size.x + p.x;
  atomicAdd(planes[0].words[at], v.x);
  atomicAdd(planes[1].words[at], v.y);
  atomicAdd(planes[2].words[at], v.z);
  atomicAdd(planes[3].words[at], v.w);
}

#include "shaders/lens/scatter_rectangle.glsl"

void scatterDisc(ivec2 p, ivec2 shift, CutDisc disc, int n, vec4 light, float weight) {
  ivec2 centre = clamp(p + shift + leaningShift(disc, n), ivec2(0), size - 1);
  uvec4 words = scatterWords(light.rgb, weight, p);
#ifdef LAYER
  words.w = scatterWord(light.a, weight, uint(p.x), uint(p.y), 3u);
#endif
  for (int i = 0; i < stairRectangles(rule.steps); ++i) {
    ivec2 reach = stairHalf(rule.steps, i, n, disc.ratio);
    addRectangle(size, centre, reach, stairSign(rule.steps, i) > 0 ? words : negated(words));
  }
}

float radiusAt(ivec2 p) {
  ivec2 inside = clamp(p, ivec2(0), size - 1);
#ifdef LAYER
  return layerRadius(rule.lens, texelFetch(depth, inside, 0));
#else
  return signedRadius(rule.lens, texelFetch(depth, inside, 0).r);
#endif
}

ivec2 shiftOf(ivec2 p, float r) {
  if (!isShifted(r)) return ivec2(0);
  return ivec2(discShift(radiusAt(p - ivec2(1, 0)), r, radiusAt(p + ivec2(1, 0)), rule.lens.anamorphicRatio),
               discShift(radiusAt(p - ivec2(0, 1)), r, radiusAt(p + ivec2(0, 1)), 1.0));
}

// Whether a scattered pixel is behind the focus plane: there, radii are negative only because it is scattered.
bool isBehind(ivec2 p) {
  vec4 there = texelFetch(depth, p, 0);
#ifdef LAYER
  return unlimitedRadius(rule.lens, there.r / there.a) > 0.0;
#else
  return unlimitedRadius(rule.lens, there.r) > 0.0;
#endif
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  float r = radiusAt(p);
  float part = scatteredPart(r, rule.band);
  if (part <= 0.0) return;
  CutDisc disc = cutDisc(rule.aperture, vec2(p) + 0.5, rule.aperture.catEye > 0.0 && isBehind(p) ? -r : r);
  int n = discIndex(disc.radius);
  NearWeights weights = nearWeights(part, disc.radius, discArea(rule.steps, n, disc.ratio),
                                    discArea(rule.steps, n + 1, disc.ratio));
  vec4 light = texelFetch(colour, p, 0);
  ivec2 shift = shiftOf(p, r);
  if (weights.inner > 0.0) scatterDisc(p, shift, disc, n, light, weights.inner);
  if (weights.outer > 0.0) scatterDisc(p, shift, disc, n + 1, light, weights.outer);
}
