// The pyramid for hole filling: each cell merges four cells of the level below, or, in level 0, four pixels. A cell keeps
// the surfaces furthest behind: what lies before the focus plane and is nearer than the furthest of the four counts less,
// so a near object does not fill the hole behind itself. What lies behind the focus plane counts alike. With a second layer of
// depth, near pixels are what they show of it.
#ifndef SHADERS_LENS_LAYERED_FILL_GLSL
#define SHADERS_LENS_LAYERED_FILL_GLSL
#include "shaders/lens/layered/layers.glsl"

const int kFillLevels = 8;
const int kLargestCellPx = 1 << kFillLevels;  // cells of level 0 have 2 pixels a side

// Size of level 0 for an image: whole cells of the last level.
SHADER_FUNCTION ivec2 fillSizeOf(ivec2 imageSize) {
  return (imageSize + kLargestCellPx - 1) / kLargestCellPx * (kLargestCellPx / 2);
}

struct FillCell {
  vec4 behind;  // premultiplied colour, weight
  vec3 radii;   // R times that weight; part of the cell before the focus plane, and -R times that part
};

// Of a pixel with this light and radius r, before `layer` of the second layer, of radius layerRadius_. What is brighter than white
// counts less: a lamp is small, and would fill the hole beside it.
SHADER_FUNCTION FillCell cellOfPixel(vec3 light, float r, vec4 layer, float layerRadius_, float ceiling_) {
  float near = nearPart(r), behind = hiddenPart(r) * layer.w;
  FillCell cell;
  vec3 shown = min(mix(light, vec3(layer.x, layer.y, layer.z), behind), vec3(ceiling_));
  float most = min(max(max(shown.x, shown.y), shown.z), 15.0f), part = 1.0f / (1.0f + most * most);
  cell.behind = vec4(shown, 1.0f) * part;
  cell.radii = vec3(mix(r, layerRadius_, behind) * part, near, near * max(-r, 0.0f));
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
  sum.radii = vec3(0.0f);
  for (int i = 0; i < 4; ++i) {
    float w = clamp(1.0f - (furthest - beforeFocus(cells[i])) / max(1.0f, -0.3f * furthest), 0.0f, 1.0f);
    sum.behind = sum.behind + cells[i].behind * (0.25f * w);
    sum.radii = sum.radii + cells[i].radii * vec3(0.25f * w, 0.25f, 0.25f);
  }
  return sum;
}

#endif
