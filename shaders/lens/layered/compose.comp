#version 450 core
// Gathers the far field from its table and blends the premultiplied near field over it; or draws a debug view.
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
layout(binding = 0, rgba16f) writeonly uniform image2D result;

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

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(background, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  vec3 fill = texelFetch(background, p, 0).rgb, behind = fill;
  float filledPart = 0.0;
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
  vec4 near = anyNear ? vec4(cornerSum(nearTable, transposed, p.x + 1, p.y + 1)) * (1.0 / scatterScale()) : vec4(0.0);
  vec3 shown = near.a < 1.0 ? near.rgb + (1.0 - near.a) * behind : near.rgb / near.a;
  float cover = min(near.a, 1.0);
  if (show == SHOW_NEAR) shown = vec3(cover);
  if (show == SHOW_FILL) shown = fill;
  if (show == SHOW_LAYERS) shown = vec3(part * (1.0 - cover), (1.0 - part) * (1.0 - cover), cover);
  if (show == SHOW_WEIGHTS) shown = vec3(filledPart);
  imageStore(result, p, vec4(shown, 1.0 - cover));
}
