#include "shaders/lens/thin_lens.glsl"
#include "shaders/sat/box_sum.glsl"


// Mean over the box around `pixel` of half-width h = halfWidth >= 1/2 pixels along y and h anamorphicRatio along x,
// clamped to the image of `size`. With n = floor(h - 1/2), it sums the boxes of 2n + 1 and 2n + 3 rows, weighted for an
// area of (2h)^2 anamorphicRatio, up to the rounding of their widths. Pixels outside the image count neither for the
// sum nor for the area. Table elements are in units of `unit`; `offset` is added to the mean. Eight look-ups at any h.
TABLE_FUNCTION SHADER_FUNCTION vec4 boxMean(TableSampler table, bool transposed, ivec2 size, ivec2 pixel, float halfWidth,
                                            float anamorphicRatio, float unit, vec4 offset) {
  float h = min(halfWidth, 4.0f * float(size.x + size.y));
  int n = int(h - 0.5f);
  float inner = float(2 * n + 1);
  float outerWeight = clamp((4.0f * h * h - inner * inner) / (8.0f * float(n + 1)), 0.0f, 1.0f);
  ivec2 innerReach = ivec2(boxReachX(n, anamorphicRatio), n), outerReach = ivec2(boxReachX(n + 1, anamorphicRatio), n + 1);
  ivec2 innerFrom = max(pixel - innerReach, ivec2(0)), innerTo = min(pixel + innerReach + 1, size);
  ivec2 outerFrom = max(pixel - outerReach, ivec2(0)), outerTo = min(pixel + outerReach + 1, size);
  ivec2 innerSide = innerTo - innerFrom, outerSide = outerTo - outerFrom;
  vec4 sum = mix(vec4(boxSum(table, transposed, innerFrom, innerTo)),
                 vec4(boxSum(table, transposed, outerFrom, outerTo)), outerWeight);
  float area = mix(float(innerSide.x * innerSide.y), float(outerSide.x * outerSide.y), outerWeight);
  return sum * (unit / area) + offset;
}
