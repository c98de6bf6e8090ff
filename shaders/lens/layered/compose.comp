#version 450 core
// Gathers the far field from its table and blends over it, in this order: the blended surfaces behind the focus plane,
// the near field, the blended surfaces in front of the focus plane. Or draws a debug view.
#define SHOW_IMAGE 0
#define SHOW_NEAR 1
#define SHOW_FILL 2
#define SHOW_LAYERS 3
#define SHOW_WEIGHTS 4
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
#define TableSampler usampler2D
#define TableElement uvec4
#include "shaders/sat/box_sum.glsl"
uniform float farUnit;  // elements of weight 1 over elements of colour 1: the ceiling
uniform bool transposed;
uniform bool anyNear;
uniform int show;
uniform float farScale;
layout(binding = 0) uniform usampler2D nearTable;
layout(binding = 1) uniform usampler2D farTable;
layout(binding = 2) uniform sampler2D background;
layout(binding = 3) uniform sampler2D backgroundRadius;
layout(binding = 4) uniform sampler2D fillRadii;
uniform float nearPx;  // the largest near radius
// Layers of blended surfaces behind and in front of the focus plane: their scatter, colour and depths.
uniform bool anyBlended;
uniform bool layersTransposed;
layout(binding = 5) uniform usampler2D backTable;
layout(binding = 6) uniform sampler2D backColour;
layout(binding = 7) uniform sampler2D backDepth;
layout(binding = 8) uniform usampler2D frontTable;
layout(binding = 9) uniform sampler2D frontColour;
layout(binding = 10) uniform sampler2D frontDepth;
layout(binding = 0, rgba16f) writeonly uniform image2D result;

// Premultiplied colour and alpha of a blurred layer. Discs that the edge of the image cuts off are missing from the
// scatter: the part of a square around p that is inside makes up for them.
vec4 blendedLayer(ivec2 p, ivec2 size, usampler2D table, sampler2D layerColour, sampler2D layerDepth) {
  vec4 sum = vec4(cornerSum(table, layersTransposed, p.x + 1, p.y + 1)) * (1.0 / scatterScale());
  float r = layerRadius(texelFetch(layerDepth, p, 0));
  vec2 reach = vec2(-r * lens.anamorphicRatio, -r) * 0.886226925;
  vec2 inside = (min(vec2(p) + 0.5 + reach, vec2(size)) - max(vec2(p) + 0.5 - reach, vec2(0.0)));
  if (r < -0.5) sum *= 4.0 * reach.x * reach.y / max(inside.x * inside.y, 1e-3);
  sum += texelFetch(layerColour, p, 0) * (1.0 - nearPart(r));
  return sum.a > 1.0 ? sum / sum.a : sum;
}

// Sum of the far image over disc n, clamped to the image, times `weight`.
vec4 discSum(ivec2 p, ivec2 size, int n, float weight) {
  uvec4 sum = uvec4(0u);
  for (int i = 0; i < stairRectangles(steps); ++i) {
    ivec2 h = ivec2(stairHalfWidthX(steps, i, n, lens.anamorphicRatio), stairHalfWidthY(steps, i, n));
    uvec4 box = boxSum(farTable, transposed, max(p - h, ivec2(0)), min(p + h + 1, size));
    sum += stairSign(steps, i) > 0 ? box : ~box + 1u;
  }
  return vec4(sum) * weight;
}

// Part of the pixels around p that are near, and their mean radius. A level of the pyramid interpolates to tents whose
// half-width is a cell. A tent of half-width 1.22 `reach` has the variance of a disc of that radius.
vec2 nearAround(vec2 at, float reach) {
  vec3 radii = textureLod(fillRadii, at, log2(max(1.22 * reach, 2.0)) - 1.0).xyz;
  return vec2(radii.y, radii.z / max(radii.y, 1e-4));
}

// Coverage by the near field, for the sum `scattered` over the discs of near pixels. Where radii vary, that sum is not 1
// inside an opaque body: a point a of the aperture sees the pixel at distance a R(x), so a disc would have to weigh
// 1 - a . grad R, not 1. On a convex body 0.9 to 1 is left, and the lamps behind it would shine through. So a sum from 0.85
// on rises to 1 where all pixels of the disc are near.
float coverage(ivec2 p, float scattered) {
  if (scattered <= 0.85 || scattered >= 1.0) return min(scattered, 1.0);
  vec2 at = (vec2(p) + 0.5) / vec2(2 * textureSize(fillRadii, 0));
  float reach = nearPx;
  for (int i = 0; i < 3; ++i) reach = nearAround(at, reach).y;
  float inside = smoothstep(0.9, 1.0, nearAround(at, reach).x);
  return mix(scattered, 1.0, inside * smoothstep(0.85, 0.95, scattered));
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(background, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  vec3 fill = texelFetch(background, p, 0).rgb, behind = fill;
  float filledPart = 0.0, passed = 1.0;  // the latter: of the light behind all layers
  float r = texelFetch(backgroundRadius, p, 0).r;
  float part = farPart(r);
  if (part > 0.0) {
    int n = discIndex(r);
    float outer = discBlend(r);
    vec4 total = vec4(0.0);
    // A disc of one pixel takes that pixel alone, without the second layer behind it.
    if (n == 0 && discArea(steps, n, lens.anamorphicRatio) == 1) {
      total += vec4(fill, farUnit) * (farWeight(r) * farScale * (1.0 - outer));
    } else if (outer < 1.0) {
      total += discSum(p, size, n, 1.0 - outer);
    }
    if (outer > 0.0) total += discSum(p, size, n + 1, outer);
    if (show == SHOW_WEIGHTS) {
      float area = mix(float(discArea(steps, n, lens.anamorphicRatio)), float(discArea(steps, n + 1, lens.anamorphicRatio)), outer);
      filledPart = total.w / (farUnit * farScale * area);
    }
    if (total.w > 0.0) behind = mix(behind, total.rgb / total.w * farUnit, part);
  }
  if (anyBlended) {
    vec4 layer = blendedLayer(p, size, backTable, backColour, backDepth);
    behind = layer.rgb + (1.0 - layer.a) * behind;
    passed *= 1.0 - layer.a;
  }
  vec4 near = anyNear ? vec4(cornerSum(nearTable, transposed, p.x + 1, p.y + 1)) * (1.0 / scatterScale()) : vec4(0.0);
  float cover = near.a > 0.0 ? coverage(p, near.a) : 0.0;
  vec3 shown = near.a > 0.0 ? mix(behind, near.rgb / near.a, cover) : behind;
  passed *= 1.0 - cover;
  if (anyBlended) {
    vec4 layer = blendedLayer(p, size, frontTable, frontColour, frontDepth);
    shown = layer.rgb + (1.0 - layer.a) * shown;
    passed *= 1.0 - layer.a;
  }
  if (show == SHOW_NEAR) shown = vec3(cover);
  if (show == SHOW_FILL) shown = fill;
  if (show == SHOW_LAYERS) shown = vec3(part * (1.0 - cover), (1.0 - part) * (1.0 - cover), cover);
  if (show == SHOW_WEIGHTS) shown = vec3(filledPart);
  imageStore(result, p, vec4(shown, passed));
}
