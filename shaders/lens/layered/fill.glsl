// The pyramid for hole filling: each cell merges four cells of the level below, or, in level 0, four pixels. A cell keeps
// the surfaces furthest behind: what lies before the focus plane and is nearer than the furthest of the four counts less,
// so a near object does not fill the hole behind itself. What lies behind the focus plane counts alike. With a second layer of
// depth, a near pixel counts as the surface of the second layer behind it.
#ifndef SHADERS_LENS_LAYERED_FILL_GLSL
#define SHADERS_LENS_LAYERED_FILL_GLSL
#include "shaders/lens/layered/layers.glsl"

const int kFillLevels = 8;
const int kLargestCellPx = 1 << kFillLevels;  // cells of level 0 have 2 pixels a side

// Size of level 0 for an image: whole cells of the last level.
SHADER_HOST_FUNCTION ivec2 fillSizeOf(ivec2 imageSize) {
  return (imageSize + kLargestCellPx - 1) / kLargestCellPx * (kLargestCellPx / 2);
}

struct FillRule {
  ThinLens lens;
  float ceiling_;
  int secondLayer;  // there is one
  SHADER_COMPARABLE(FillRule)
};

struct FillCell {
  vec4 behind;  // premultiplied colour, weight
  // x: R times that weight; y: the part of the cell before the focus plane; z: that part times -R; w: the part that `behind` holds.
  vec4 radii;
};

// Bright light weighs less: a lamp is small, and its colour would fill the hole beside it.
SHADER_FUNCTION float fillWeight(vec3 light) {
  float most = min(max(max(light.x, light.y), light.z), 15.0f);
  return 1.0f / (1.0f + most * most);
}

// Of a pixel with this light and radius r, in front of `layer` of the second layer, of radius layerRadius_. `ceiling_`: of the light.
SHADER_FUNCTION FillCell cellOfPixel(vec3 light, float r, vec4 layer, float layerRadius_, float ceiling_) {
  float near = nearPart(r), behind = hiddenPart(r) * layer.w;
  FillCell cell;
  vec3 shown = min(mix(light, vec3(layer.x, layer.y, layer.z), behind), vec3(ceiling_));
  float weight = fillWeight(shown);
  cell.behind = vec4(shown, 1.0f) * weight;
  cell.radii = vec4(mix(r, layerRadius_, behind) * weight, near, near * max(-r, 0.0f), 1.0f);
  return cell;
}

// How far before the focus plane the cell's surfaces are: a radius, at most 0.
SHADER_FUNCTION float beforeFocus(FillCell cell) { return min(cell.radii.x / max(cell.behind.w, 1e-6f), 0.0f); }

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
