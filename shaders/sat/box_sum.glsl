// Sums over boxes from an inclusive summed-area table T. In GLSL the program defines
//   TableSampler  usampler2D or sampler2D
//   TableElement  uvec4 (modulo 2^32) or vec4
#ifndef SHADERS_SAT_BOX_SUM_GLSL
#define SHADERS_SAT_BOX_SUM_GLSL
#include "shaders/common/shared.glsl"

#ifndef __cplusplus
#define TABLE_FUNCTION
#endif

// Sum over [0, x) x [0, y): T(x - 1, y - 1), or 0 if the box is empty. A transposed table has T(x, y) at texel (y, x).
TABLE_FUNCTION SHADER_FUNCTION TableElement cornerSum(TableSampler table, bool transposed, int x, int y) {
  ivec2 texel = max(ivec2(x, y) - 1, ivec2(0));
  TableElement sum = texelFetch(table, transposed ? ivec2(texel.y, texel.x) : texel, 0);
  return min(x, y) > 0 ? sum : TableElement(0);
}

// Sum over [from.x, to.x) x [from.y, to.y): four look-ups. Exact for uvec4 while the sum itself is below 2^32.
TABLE_FUNCTION SHADER_FUNCTION TableElement boxSum(TableSampler table, bool transposed, ivec2 from, ivec2 to) {
  return (cornerSum(table, transposed, to.x, to.y) - cornerSum(table, transposed, from.x, to.y)) -
         (cornerSum(table, transposed, to.x, from.y) - cornerSum(table, transposed, from.x, from.y));
}

#endif
