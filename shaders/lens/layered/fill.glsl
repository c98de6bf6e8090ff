// The pyramid for hole filling. A cell merges four cells of the level below; in level 0, four pixels. A cell keeps its
// farthest surfaces, so that a near object does not fill the hole behind itself: a surface in front of the focus plane
// weighs less the nearer it is than the farthest of the four. Surfaces behind the focus plane weigh the same. With a
// second layer of depth, the surface of the second layer stands for a near pixel.
#ifndef SHADERS_LENS_LAYERED_FILL_GLSL
#define SHADERS_LENS_LAYERED_FILL_GLSL
#include "shaders/lens/layered/layers.glsl"

const int kFillLevels = 8;
const int kMaxCellPx = 1 << kFillLevels;  // cells of level 0 have 2 pixels a side

// Size of level 0 for an image: whole cells of the last level.
SHADER_HOST_FUNCTION ivec2 fillSizeOf(ivec2 imageSize) {
  return (imageSize + kMaxCellPx - 1) / kMaxCellPx * (kMaxCellPx / 2);
}

struct FillRule {
  ThinLens lens;
  float ceiling;
  int secondLayer;  // 1: there is a second layer of depth
  SHADER_COMPARABLE(FillRule)
};
// Places of the images: first those that the pass reads, then those that it writes. In OpenGL, the pass reads the level
// below from kFillReads on.
const int kFillColour = 0, kFillDepth = 1, kFillBehindColour = 2, kFillBehindDepth = 3, kFillReads = 4;
const int kFillBehind = 0, kFillRadii = 1;

struct FillCell {
  vec4 behind;  // colour w, w: w is the weight of the surfaces that fill
  // x: R w; y: the near part of the cell; z: sum of -R over the near part; w: the part of the cell whose surfaces
  // `behind` holds
  vec4 radii;
};

// The weight of a pixel that fills. Bright light weighs less: the colour of a small lamp would fill the whole hole
// beside it.
SHADER_FUNCTION float fillWeight(vec3 light) {
  float most = min(max(max(light.x, light.y), light.z), 15.0f);
  return 1.0f / (1.0f + most * most);
}

// The cell of one pixel of this light and radius r. `second`, `secondRadius`: the second layer there. `ceiling`: limit
// of the light.
SHADER_FUNCTION FillCell cellOfPixel(vec3 light, float r, vec4 second, float secondRadius, float ceiling) {
  float near = nearPart(r), behind = hiddenPart(r) * second.w;
  FillCell cell;
  vec3 shown = min(mix(light, vec3(second.x, second.y, second.z), behind), vec3(ceiling));
  float weight = fillWeight(shown);
  cell.behind = vec4(shown, 1.0f) * weight;
  cell.radii = vec4(mix(r, secondRadius, behind) * weight, near, near * max(-r, 0.0f), 1.0f);
  return cell;
}

// The mean radius of the surfaces in a cell, at most 0.
SHADER_FUNCTION float beforeFocus(FillCell cell) { return min(cell.radii.x / max(cell.behind.w, 1e-6f), 0.0f); }

// The cell above four cells.
SHADER_FUNCTION FillCell mergedCell(FillCell cells[4]) {
  float furthest = -1e9f;
  for (int i = 0; i < 4; ++i)
    if (cells[i].behind.w > 0.0f) furthest = max(furthest, beforeFocus(cells[i]));
  FillCell sum;
  sum.behind = vec4(0.0f);
  sum.radii = vec4(0.0f);
  for (int i = 0; i < 4; ++i) {
    float w = clamp(1.0f - (furthest - beforeFocus(cells[i])) / max(1.0f, -0.3f * furthest), 0.0f, 1.0f);
    sum.behind = sum.behind + cells[i].behind * (0.25f * w);
    vec4 radii = cells[i].radii * 0.25f;
    sum.radii = sum.radii + vec4(radii.x * w, radii.y, radii.z, radii.w * w);
  }
  return sum;
}

#endif
