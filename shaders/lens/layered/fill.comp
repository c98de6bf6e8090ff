#version 450 core
// One level of the pyramid for hole filling: each cell merges four cells of the level below, or, in level 0, four pixels.
// A cell keeps the surfaces furthest behind: what lies before the focus plane and is nearer than the furthest of the four
// counts less, so a near object does not fill the hole behind itself. What lies behind the focus plane counts alike.
//   behind  premultiplied colour, part of the cell that it covers
//   radii   R times that part; part of the cell before the focus plane, and -R times that part
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
uniform int level;
uniform float ceiling_;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform sampler2D behindBelow;
layout(binding = 3) uniform sampler2D radiiBelow;
layout(binding = 0, rgba16f) writeonly uniform image2D behind;
layout(binding = 1, rgba16f) writeonly uniform image2D radii;

struct Cell {
  vec4 behind;
  vec3 radii;
};

Cell cellOf(ivec2 at) {
  if (level > 0) return Cell(texelFetch(behindBelow, at, level - 1), texelFetch(radiiBelow, at, level - 1).xyz);
  at = min(at, textureSize(colour, 0) - 1);
  float r = signedRadius(texelFetch(depth, at, 0).r), near = nearPart(r);
  return Cell(vec4(min(texelFetch(colour, at, 0).rgb, vec3(ceiling_)), 1.0), vec3(r, near, near * max(-r, 0.0)));
}

// How far before the focus plane the cell's surfaces are: a radius, at most 0.
float before(Cell cell) { return min(cell.radii.x / max(cell.behind.a, 1e-6), 0.0); }

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(behind)))) return;
  Cell cells[4];
  float furthest = -1e9;
  for (int i = 0; i < 4; ++i) {
    cells[i] = cellOf(2 * p + ivec2(i & 1, i >> 1));
    if (cells[i].behind.a > 0.0) furthest = max(furthest, before(cells[i]));
  }
  Cell sum = Cell(vec4(0.0), vec3(0.0));
  for (int i = 0; i < 4; ++i) {
    float w = clamp(1.0 - (furthest - before(cells[i])) / max(1.0, -0.3 * furthest), 0.0, 1.0);
    sum.behind += cells[i].behind * (0.25 * w);
    sum.radii += cells[i].radii * vec3(0.25 * w, 0.25, 0.25);
  }
  imageStore(behind, p, sum.behind);
  imageStore(radii, p, vec4(sum.radii, 0.0));
}
