// Sums over boxes from an inclusive summed-area table T. Also compiled as C++ (tests/lens/box_sum_test.cpp). The including
// file defines
//   TableSampler      what texelFetch(TableSampler, ivec2, int) reads: usampler2D or sampler2D
//   TableElement      what it returns: uvec4 (modulo 2^32) or vec4
//   SHADER_FUNCTION (optional) put before every function
#ifndef SHADER_FUNCTION
#define SHADER_FUNCTION
#endif

// Sum over [0, x) x [0, y) = T(x - 1, y - 1), 0 on the border. A transposed table holds T(x, y) at texel (y, x).
SHADER_FUNCTION TableElement cornerSum(TableSampler table, bool transposed, int x, int y) {
  ivec2 texel = max(ivec2(x, y) - 1, ivec2(0));
  TableElement sum = texelFetch(table, transposed ? ivec2(texel.y, texel.x) : texel, 0);
  return min(x, y) > 0 ? sum : TableElement(0);
}

// Sum over [from.x, to.x) x [from.y, to.y): four look-ups. Exact for uvec4 while the sum itself is below 2^32.
SHADER_FUNCTION TableElement boxSum(TableSampler table, bool transposed, ivec2 from, ivec2 to) {
  return (cornerSum(table, transposed, to.x, to.y) - cornerSum(table, transposed, from.x, to.y)) -
         (cornerSum(table, transposed, to.x, from.y) - cornerSum(table, transposed, from.x, from.y));
}
