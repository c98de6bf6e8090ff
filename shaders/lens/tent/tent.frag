#version 450 core

#include "shaders/lens/blur_rule.glsl"
#include "shaders/sat/box_sum.glsl"

layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform TableSampler table;  // the table of the table
uniform bool transposed;
uniform ivec2 size;  // of the summed image; its cells are shrink x shrink pixels
uniform int shrink;  // 1 or 2
uniform float unit;
uniform int widest;
layout(location = 0) out vec4 blurred;

// An entry of the table of the table: the sum of the first table over [0, x) x [0, y). Pixels beyond the image are 0, so
// the first table is constant there and this sum grows linearly: it is extrapolated from the last two entries along x,
// then along y.
uvec4 continuedAlongX(int x, int y) {
  uvec4 last = cornerSum(table, transposed, min(x, size.x), y);
  if (x <= size.x) return last;
  return last + uint(x - size.x) * (last - cornerSum(table, transposed, size.x - 1, y));
}
uvec4 secondSum(int x, int y) {
  uvec4 last = continuedAlongX(x, min(y, size.y));
  if (y <= size.y) return last;
  return last + uint(y - size.y) * (last - continuedAlongX(x, size.y - 1));
}

// The sum of v(c + d) (r.x - |d.x|)+ (r.y - |d.y|)+ over d: nine look-ups, exact while the sum is below 2^32.
uvec4 tentSum(ivec2 c, ivec2 r) {
  uvec4 sum = uvec4(0u);
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) sum += uint((i == 0 ? -2 : 1) * (j == 0 ? -2 : 1)) * secondSum(c.x + i * r.x, c.y + j * r.y);
  return sum;
}

// Half-widths of tent n in cells. Its variance is (n^2 - 1) / 6 along y and anamorphicRatio^2 times as large along x.
ivec2 tentHalfWidths(int n) {
  return ivec2(int(sqrt(1.0 + float(n * n - 1) * lens.anamorphicRatio * lens.anamorphicRatio) + 0.5), n);
}

// Returns the mean under tent n around a pixel times the part of the tent inside the image, and that part. Interpolates
// finished tents between cells, because wrapped integers cannot be interpolated.
vec4 tent(ivec2 pixel, int n, vec3 sharp) {
  if (n == 1 && shrink == 1) return vec4(sharp, 1.0);
  ivec2 r = tentHalfWidths(n);
  ivec2 cell = pixel / shrink, beside = (pixel & 1) * 2 - 1;
  vec4 sum = vec4(0.0);
  for (int j = 0; j < shrink; ++j)
    for (int i = 0; i < shrink; ++i) {
      float share = shrink == 1 ? 1.0 : (i == 0 ? 0.75 : 0.25) * (j == 0 ? 0.75 : 0.25);
      sum += share * vec4(tentSum(cell + ivec2(i, j) * beside, r));
    }
  float weight = float(r.x * r.y * shrink);
  return sum * vec4(vec3(unit), 1.0) / (weight * weight);
}

// The half-width m has the second moment of the disc: R^2 / 4 = (m^2 - 1) shrink^2 / 6 + B^2 / 4. B^2 / 4 is the blur
// by the cells of 2 x 2 pixels and by the interpolation between them. Smaller discs mix the sharp and the blurred
// image. Radii up to 1/16 pixel leave the pixel unchanged.
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float radius = signedRadius(texelFetch(depth, pixel, 0).x);
  blurred = texelFetch(colour, pixel, 0);
  float square = radius * radius - 0.00390625;
  if (square <= 0.0) return;
  float ofCells = shrink == 1 ? 0.0 : 4.0;
  float m2 = 1.0 + 1.5 * max(square - ofCells, 0.0) / float(shrink * shrink);
  int n = int(min(sqrt(m2), float(widest)));
  float outer = clamp((m2 - float(n * n)) / float(2 * n + 1), 0.0, 1.0);
  vec4 sum = tent(pixel, n, blurred.rgb) * (1.0 - outer);
  if (outer > 0.0) sum += tent(pixel, n + 1, blurred.rgb) * outer;
  blurred.rgb = mix(blurred.rgb, sum.rgb / sum.a, square < ofCells ? square / ofCells : 1.0);
}
