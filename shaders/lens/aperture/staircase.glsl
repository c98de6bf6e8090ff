// The staircase disc: a union of K axis-aligned rectangles with one centre that approximates a disc. The gather
// averages over it by a summed-area table; the scatter adds to it by a summed-area table in reverse. With the steps a_0
// > ... > a_{K-1}, half-widths for a unit disc, the union consists of rect(a_i, a_{K-1-i}), from the widest and lowest
// to the narrowest and highest. Rectangles i and i + 1 overlap in rect(a_{i+1}, a_{K-1-i}). So the union is the sum of
// the K rectangles less the K - 1 overlaps of neighbours:
//   sum_i rect(a_i, a_{K-1-i}) - sum_{i < K-1} rect(a_{i+1}, a_{K-1-i}).
// The steps minimise the L2 distance to a disc.
// Disc n has the half-widths floor(a (n + 1/2)): sides of 2 floor(a (n + 1/2)) + 1 pixels. A real radius R blends
// the discs n = floor(R - 1/2) and n + 1, so the result is continuous in R.
#ifndef SHADERS_LENS_APERTURE_STAIRCASE_GLSL
#define SHADERS_LENS_APERTURE_STAIRCASE_GLSL
#include "shaders/common/shared.glsl"

// Step a_i of K = `steps`.
SHADER_FUNCTION float stair(int steps, int i) {
  if (steps == 1) return 0.886f;
  if (steps == 2) return i == 0 ? 0.957f : 0.626f;
  if (steps == 3) return i == 0 ? 0.973f : i == 1 ? 0.775f : 0.502f;
  if (steps == 4) return i == 0 ? 0.979f : i == 1 ? 0.845f : i == 2 ? 0.659f : 0.411f;
  return i == 0 ? 0.983f : i == 1 ? 0.873f : i == 2 ? 0.746f : i == 3 ? 0.593f : 0.366f;
}

// The number of rectangles: 0 to K - 1 are added, K to 2K - 2 subtracted.
SHADER_FUNCTION int stairRectangles(int steps) { return 2 * steps - 1; }
SHADER_FUNCTION int stairSign(int steps, int i) { return i < steps ? 1 : -1; }

// Half-widths of rectangle i of disc n.
SHADER_FUNCTION int stairHalfWidthX(int steps, int i, int n, float anamorphicRatio) {
  int a = i < steps ? i : i - steps + 1;
  precise float halfWidth = stair(steps, a) * (float(n) + 0.5f) * anamorphicRatio;
  return int(halfWidth);
}
SHADER_FUNCTION int stairHalfWidthY(int steps, int i, int n) {
  int a = i < steps ? steps - 1 - i : 2 * steps - 1 - i;
  precise float halfWidth = stair(steps, a) * (float(n) + 0.5f);
  return int(halfWidth);
}
SHADER_FUNCTION ivec2 stairHalf(int steps, int i, int n, float anamorphicRatio) {
  return ivec2(stairHalfWidthX(steps, i, n, anamorphicRatio), stairHalfWidthY(steps, i, n));
}

SHADER_FUNCTION int stairArea(int steps, int i, int n, float anamorphicRatio) {
  ivec2 side = 2 * stairHalf(steps, i, n, anamorphicRatio) + 1;
  return side.x * side.y;
}

// Area of disc n in pixels. Fits in an int, as do all partial sums: see widestRadiusPx().
SHADER_FUNCTION int discArea(int steps, int n, float anamorphicRatio) {
  int area = stairArea(steps, 0, n, anamorphicRatio);
  for (int i = 1; i < steps; ++i)
    area += stairArea(steps, i, n, anamorphicRatio) - stairArea(steps, steps + i - 1, n, anamorphicRatio);
  return area;
}

// A radius R blends discs n and n + 1. discIndex() returns n, discBlend() the weight of disc n + 1. The weight
// interpolates R^2 between (n + 1/2)^2 and (n + 3/2)^2: f (1 - (1 - f) / (2n + 2)) with f = R - n - 1/2. For n = 0 it
// is (2R/3)^4, so that the variance of the blend stays near R^2 / 4 at small R.
SHADER_FUNCTION int discIndex(float radius) { return max(int(radius - 0.5f), 0); }
SHADER_FUNCTION float discBlend(float radius) {
  int n = discIndex(radius);
  precise float square = radius * radius;
  precise float first = square * square * 0.19753086f;
  precise float f = radius - (float(n) + 0.5f);
  precise float later = f * (1.0f - (1.0f - f) * (float(16777216 / (2 * n + 2)) * 5.9604645e-8f));
  return min(n == 0 ? first : later, 1.0f);
}

#endif
