// Sums over boxes from an inclusive summed-area table T. Also compiled as C++ (tests/lens_box_sum_test.cpp). The including
// file defines
//   SatSampler      what texelFetch(SatSampler, ivec2, int) reads: usampler2D or sampler2D
//   SatElement      what it returns: uvec4 (modulo 2^32) or vec4
//   SHADER_FUNCTION (optional) put before every function
#ifndef SHADER_FUNCTION
#define SHADER_FUNCTION
#endif

// Sum over [0, x) x [0, y) = T(x - 1, y - 1), 0 on the border. A transposed table holds T(x, y) at texel (y, x).
SHADER_FUNCTION SatElement cornerSum(SatSampler table, bool transposed, int x, int y) {
  ivec2 texel = max(ivec2(x, y) - 1, ivec2(0));
  SatElement sum = texelFetch(table, transposed ? ivec2(texel.y, texel.x) : texel, 0);
  return min(x, y) > 0 ? sum : SatElement(0);
}

// Sum over [from.x, to.x) x [from.y, to.y): four look-ups. Exact for uvec4 while the sum itself is below 2^32.
SHADER_FUNCTION SatElement boxSum(SatSampler table, bool transposed, ivec2 from, ivec2 to) {
  return (cornerSum(table, transposed, to.x, to.y) - cornerSum(table, transposed, from.x, to.y)) -
         (cornerSum(table, transposed, to.x, from.y) - cornerSum(table, transposed, from.x, from.y));
}

// Mean over the square of half-width h >= 1/2 pixels around the centre of `pixel`, clamped to the picture of `size`.
// With n = floor(h - 1/2), the boxes of 2n + 1 and 2n + 3 pixels a side are summed, then weighted so that the area
// is (2h)^2; what falls outside the picture is left out of sum and area alike. Elements count `unit` each, and
// `offset` is added to the mean. Eight look-ups, whatever h.
SHADER_FUNCTION vec4 boxMean(SatSampler table, bool transposed, ivec2 size, ivec2 pixel, float halfWidth, float unit,
                             vec4 offset) {
  float h = min(halfWidth, float(size.x + size.y));
  int n = int(h - 0.5f);
  float inner = float(2 * n + 1);
  float outerWeight = clamp((4.0f * h * h - inner * inner) / (8.0f * float(n + 1)), 0.0f, 1.0f);
  ivec2 innerFrom = max(pixel - n, ivec2(0)), innerTo = min(pixel + n + 1, size);
  ivec2 outerFrom = max(pixel - n - 1, ivec2(0)), outerTo = min(pixel + n + 2, size);
  ivec2 innerSide = innerTo - innerFrom, outerSide = outerTo - outerFrom;
  vec4 sum = mix(vec4(boxSum(table, transposed, innerFrom, innerTo)),
                 vec4(boxSum(table, transposed, outerFrom, outerTo)), outerWeight);
  float area = mix(float(innerSide.x * innerSide.y), float(outerSide.x * outerSide.y), outerWeight);
  return sum * (unit / area) + offset;
}
