#include "shaders/lens/thin_lens.glsl"
#include "shaders/sat/box_sum.glsl"

// A box of fractional half-width: a blend of two boxes of whole pixels.
struct Boxes {
  ivec2 inner, outer;  // whole pixels to either side of the centre
  float outerWeight;
};

// The boxes for a half-width of h >= 1/2 pixels along y and h anamorphicRatio along x. With n = floor(h - 1/2) they
// have 2n + 1 and 2n + 3 rows. The weight of the outer box makes the blended area (2h)^2 anamorphicRatio, up to the
// rounding of the widths.
SHADER_FUNCTION Boxes boxesOf(float halfWidth, float anamorphicRatio, ivec2 size) {
  float h = min(halfWidth, 4.0f * float(size.x + size.y));
  int n = int(h - 0.5f);
  float side = float(2 * n + 1);
  Boxes boxes;
  boxes.inner = ivec2(boxReachX(n, anamorphicRatio), n);
  boxes.outer = ivec2(boxReachX(n + 1, anamorphicRatio), n + 1);
  boxes.outerWeight = clamp((4.0f * h * h - side * side) / (8.0f * float(n + 1)), 0.0f, 1.0f);
  return boxes;
}

// Mean over the box of half-width `halfWidth` around `pixel`. Pixels outside the image count neither for the sum nor
// for the area. Table elements times `unit` are linear light; `offset` is added to the mean. Cost: eight look-ups at
// any half-width.
TABLE_FUNCTION SHADER_FUNCTION vec4 boxMean(TableSampler table, bool transposed, ivec2 size, ivec2 pixel,
                                            float halfWidth, float anamorphicRatio, float unit, vec4 offset) {
  Boxes boxes = boxesOf(halfWidth, anamorphicRatio, size);
  ivec2 innerFrom = max(pixel - boxes.inner, ivec2(0)), innerTo = min(pixel + boxes.inner + 1, size);
  ivec2 outerFrom = max(pixel - boxes.outer, ivec2(0)), outerTo = min(pixel + boxes.outer + 1, size);
  ivec2 innerSide = innerTo - innerFrom, outerSide = outerTo - outerFrom;
  vec4 sum = mix(vec4(boxSum(table, transposed, innerFrom, innerTo)),
                 vec4(boxSum(table, transposed, outerFrom, outerTo)), boxes.outerWeight);
  float area = mix(float(innerSide.x * innerSide.y), float(outerSide.x * outerSide.y), boxes.outerWeight);
  return sum * (unit / area) + offset;
}
