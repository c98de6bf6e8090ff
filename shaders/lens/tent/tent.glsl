// The tent lens: means under tents from the table of a table (Heckbert 1986).
#include "shaders/lens/thin_lens.glsl"
#include "shaders/sat/box_sum.glsl"

struct TentRule {
  ThinLens lens;
  ivec2 size;  // of the summed image; its cells are shrink x shrink pixels
  int shrink;  // 1 or 2
  int widest;  // half-width of the widest tent, cells
  float scale, ceiling;
  SHADER_COMPARABLE(TentRule)
};

// A cell of the summed image in fixed point: light, number of pixels. `light`: the sum over its pixels. An additive
// recurrence in two dimensions (Roberts 2018) dithers the rounding. It is even over every neighbourhood, so the errors
// of neighbouring cells cancel.
SHADER_FUNCTION uvec4 tentCell(TentRule rule, ivec2 cell, vec3 light, int pixels) {
  float phase = float(cell.x) * 0.7548776662f + float(cell.y) * 0.5698402910f;
  vec3 words = light * rule.scale + (phase - floor(phase));
  return uvec4(uint(words.x), uint(words.y), uint(words.z), uint(pixels));
}
// The light of a pixel, limited to the ceiling with its hue kept.
SHADER_FUNCTION vec3 tentLight(TentRule rule, vec3 light) {
  vec3 l = max(light, vec3(0.0f));
  return l * min(rule.ceiling / max(max(l.x, l.y), max(l.z, 1e-6f)), 1.0f);
}

// secondSum() returns an entry of the table of the table: the sum of the first table over [0, x) x [0, y). Pixels
// beyond the image are 0, so the first table is constant there, and its sum grows linearly. The function extrapolates
// it from the last two entries, along x by continuedAlongX(), then along y.
TABLE_FUNCTION SHADER_FUNCTION uvec4 continuedAlongX(TableSampler table, bool transposed, ivec2 size, int x, int y) {
  uvec4 last = cornerSum(table, transposed, min(x, size.x), y);
  if (x <= size.x) return last;
  return last + (last - cornerSum(table, transposed, size.x - 1, y)) * uint(x - size.x);
}
TABLE_FUNCTION SHADER_FUNCTION uvec4 secondSum(TableSampler table, bool transposed, ivec2 size, int x, int y) {
  uvec4 last = continuedAlongX(table, transposed, size, x, min(y, size.y));
  if (y <= size.y) return last;
  return last + (last - continuedAlongX(table, transposed, size, x, size.y - 1)) * uint(y - size.y);
}

// The sum of v(c + d) (r.x - |d.x|)+ (r.y - |d.y|)+ over d: nine look-ups, exact while the sum is below 2^32.
TABLE_FUNCTION SHADER_FUNCTION uvec4 tentSum(TableSampler table, bool transposed, ivec2 size, ivec2 c, ivec2 r) {
  uvec4 sum = uvec4(0u);
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      uvec4 corner = secondSum(table, transposed, size, c.x + i * r.x, c.y + j * r.y);
      sum = sum + corner * uint((i == 0 ? -2 : 1) * (j == 0 ? -2 : 1));
    }
  return sum;
}

// Half-widths of tent n in cells. The variance of the tent is (n^2 - 1) / 6 along y and anamorphicRatio^2 times as
// large along x.
SHADER_FUNCTION ivec2 tentHalfWidths(int n, float anamorphicRatio) {
  return ivec2(int(sqrt(1.0f + float(n * n - 1) * anamorphicRatio * anamorphicRatio) + 0.5f), n);
}

// The mean under tent n around a pixel, premultiplied by the part of the tent inside the image, and that part. Between
// cells the function interpolates finished tents, because wrapped integers cannot be interpolated.
TABLE_FUNCTION SHADER_FUNCTION vec4 tentMean(TableSampler table, bool transposed, TentRule rule, ivec2 pixel, int n,
                                             vec4 sharp) {
  if (n == 1 && rule.shrink == 1) return vec4(sharp.x, sharp.y, sharp.z, 1.0f);
  ivec2 r = tentHalfWidths(n, rule.lens.anamorphicRatio);
  ivec2 cell = pixel / rule.shrink, beside = ivec2(pixel.x & 1, pixel.y & 1) * 2 - 1;
  vec4 sum = vec4(0.0f);
  for (int j = 0; j < rule.shrink; ++j)
    for (int i = 0; i < rule.shrink; ++i) {
      float share = rule.shrink == 1 ? 1.0f : (i == 0 ? 0.75f : 0.25f) * (j == 0 ? 0.75f : 0.25f);
      sum = sum + vec4(tentSum(table, transposed, rule.size, cell + ivec2(i, j) * beside, r)) * share;
    }
  float weight = float(r.x * r.y * rule.shrink), unit = 1.0f / rule.scale, area = weight * weight;
  return vec4(sum.x * unit / area, sum.y * unit / area, sum.z * unit / area, sum.w / area);
}

// The blurred pixel. `sharp`: its colour. `radius`: its signed radius R. The half-width m of the tent gives it the
// second moment of the disc: R^2 / 4 = (m^2 - 1) shrink^2 / 6 + B^2 / 4, where B^2 / 4 is the variance of cells of 2 x
// 2 pixels and of the interpolation between them. For discs smaller than B the sharp and the blurred image mix. Radii
// up to 1/16 pixel leave the pixel unchanged.
TABLE_FUNCTION SHADER_FUNCTION vec4 tentBlurred(TableSampler table, bool transposed, TentRule rule, ivec2 pixel,
                                                vec4 sharp, float radius) {
  float square = radius * radius - 0.00390625f;
  if (square <= 0.0f) return sharp;
  float ofCells = rule.shrink == 1 ? 0.0f : 4.0f;
  float m2 = 1.0f + 1.5f * max(square - ofCells, 0.0f) / float(rule.shrink * rule.shrink);
  int n = int(min(sqrt(m2), float(rule.widest)));
  float outer = clamp((m2 - float(n * n)) / float(2 * n + 1), 0.0f, 1.0f);
  vec4 sum = tentMean(table, transposed, rule, pixel, n, sharp) * (1.0f - outer);
  if (outer > 0.0f) sum = sum + tentMean(table, transposed, rule, pixel, n + 1, sharp) * outer;
  float part = square < ofCells ? square / ofCells : 1.0f;
  vec3 colour = mix(vec3(sharp.x, sharp.y, sharp.z), vec3(sum.x, sum.y, sum.z) / sum.w, part);
  return vec4(colour, sharp.w);
}
