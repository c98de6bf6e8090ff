// The focus layer: surfaces in focus and up to kFarPx behind it. Every pixel gathers what the discs around it scatter, at most
// 37 pixels for an aperture without anamorphic ratio. The layer lies over the far field, so the edges of its surfaces are
// as soft as their discs, and what they hide comes from the far field around them.
#ifndef SHADERS_LENS_LAYERED_FOCUS_GLSL
#define SHADERS_LENS_LAYERED_FOCUS_GLSL
#include "shaders/lens/layered/layers.glsl"

// Discs 0 to kFocusReach have all surfaces of the layer. Disc n has n rows above and below its centre.
const int kFocusReach = 3;
// Surfaces with smaller radii stay in their pixel.
const float kSharpPx = 0.0625f;

// Half-width along x of disc n in the row y pixels from its centre; -1 if the disc has no such row.
SHADER_FUNCTION int discRow(int steps, float anamorphicRatio, int n, int y) {
  int widest = -1;
  for (int i = 0; i < steps; ++i)
    if (y <= stairHalfWidthY(steps, i, n)) widest = max(widest, stairHalfWidthX(steps, i, n, anamorphicRatio));
  return widest;
}

// As discBlend(), but steeper below 1.5 pixels, as far as no pixel flickers when the focus moves.
SHADER_FUNCTION float focusBlend(float r) {
  float part = max(r - kSharpPx, 0.0f) / (1.5f - kSharpPx);
  return r < 1.5f ? part * part * (1.6f - 0.6f * part) : discBlend(r);
}

// Part of the light of a pixel of radius r that each pixel of discs n and n + 1, n = discIndex(r), gets.
struct FocusWeights {
  float inner, outer;
};
// `areas`: of discs 0 to 3.
SHADER_FUNCTION FocusWeights focusWeights(float r, vec4 areas) {
  float part = 1.0f - farPart(r), blend = focusBlend(r);
  int n = discIndex(r);
  FocusWeights weights;
  weights.inner = part * (1.0f - blend) / (n == 0 ? areas.x : n == 1 ? areas.y : areas.z);
  weights.outer = part * blend / (n == 0 ? areas.y : n == 1 ? areas.z : areas.w);
  return weights;
}

// What a pixel `dx` columns away gets of a pixel of radius r in a row where discs 0 to 3 have the half-widths `row`.
SHADER_FUNCTION float focusWeight(float r, int dx, ivec4 row, vec4 areas) {
  if (r >= kFarPx) return 0.0f;
  FocusWeights weights = focusWeights(r, areas);
  int n = discIndex(r);
  return (dx <= (n == 0 ? row.x : n == 1 ? row.y : row.z) ? weights.inner : 0.0f) +
         (dx <= (n == 0 ? row.y : n == 1 ? row.z : row.w) ? weights.outer : 0.0f);
}

// The focus layer at a pixel, and the far field around it.
struct FocusLayer {
  vec4 sum;  // premultiplied colour, coverage
  vec2 far;  // sum of radii by their far parts, sum of these parts
};

// At a pixel without discs of other pixels.
SHADER_FUNCTION FocusLayer focusAlone(vec3 c, float r) {
  FocusLayer layer;
  layer.sum = vec4(c, 1.0f) * (1.0f - farPart(r));
  layer.far = vec2(r, 1.0f) * farPart(r);
  return layer;
}

// Whether a surface of radius r spreads to other pixels. Where none around does, focusAlone() is the focus layer.
SHADER_FUNCTION bool isSoft(float r) { return r > kSharpPx && r < kFarPx; }

// Part of the far field at a pixel. Coverage below 1 counts only where the far field is seen.
SHADER_FUNCTION float farShare(FocusLayer layer) {
  return (1.0f - min(layer.sum.w, 1.0f)) * min(layer.far.y, 1.0f);
}
// Radius of the far field at a pixel of radius r.
SHADER_FUNCTION float farRadius(FocusLayer layer, float r) {
  return mix(layer.far.x / max(layer.far.y, 1e-6f), r, farPart(r));
}

#endif
