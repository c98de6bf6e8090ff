// The focus layer: surfaces in focus and up to kFarPx behind the focus plane. Every pixel gathers from the pixels whose
// discs reach it: from 21 pixels without anamorphic ratio. The layer lies over the far field. So the edges of its
// surfaces are as soft as their discs, and light that they hide comes from the far field around them.
#ifndef SHADERS_LENS_LAYERED_FOCUS_GLSL
#define SHADERS_LENS_LAYERED_FOCUS_GLSL
#include "shaders/lens/layered/layers.glsl"

// All surfaces of the layer have discs 0 to kFocusReach. Disc n has n rows above and below its centre.
const int kFocusReach = 2, kFocusDiscs = kFocusReach + 1;
// The widest aperture, of an anamorphic ratio of 4, reaches as many pixels along x.
const int kMaxFocusReachX = 9;
// Surfaces of smaller radii do not spread to other pixels. Measured: a larger limit makes the step visible (0.02 dB at
// 0.08); with 0, every pixel gathers.
const float kSharpPx = 0.0625f;

#ifndef __cplusplus
struct FocusDiscs {  // see shaders/lens/layered/focus.h
  ivec4 rows[kFocusDiscs];
  vec4 areas;
};
#endif

// As discBlend(), but steeper below 1.5 pixels: as steep as possible without pixels that flicker while the focus moves.
SHADER_FUNCTION float focusBlend(float r) {
  float part = max(r - kSharpPx, 0.0f) / (1.5f - kSharpPx);
  return r < 1.5f ? part * part * (1.6f - 0.6f * part) : discBlend(r);
}

// The smallest disc that contains the pixel x pixels from the middle of a row of FocusDiscs.
SHADER_FUNCTION int focusDisc(ivec4 row, int x) { return abs(x) <= row.x ? 0 : abs(x) <= row.y ? 1 : 2; }

// A pixel that other pixels gather.
struct FocusSource {
  vec4 light;    // colour, part in the far field
  vec3 weights;  // weights[n]: of this pixel for pixels around it with focusDisc() n
  float radius;
};
// The source for a pixel of colour c and radius r. `areas`: of discs 0 to 2.
SHADER_FUNCTION FocusSource focusSource(vec3 c, float r, vec3 areas) {
  FocusSource source;
  source.light = vec4(c, farPart(r));
  source.weights = vec3(0.0f);
  source.radius = r;
  if (r >= kFarPx) return source;
  float part = 1.0f - source.light.w, blend = focusBlend(r);
  bool first = discIndex(r) == 0;
  float inner = part * (1.0f - blend) / (first ? areas.x : areas.y);
  float outer = part * blend / (first ? areas.y : areas.z);
  source.weights = vec3(inner + outer, first ? outer : inner + outer, first ? 0.0f : outer);
  return source;
}

// The focus layer at a pixel, and the far field around it.
struct FocusLayer {
  vec4 sum;  // premultiplied colour, coverage
  vec2 far;  // sum of the far parts of the radii around: R farPart(R), farPart(R)
};

// The layer with one more source. `light`, `radius`: of the source. `weight`: its weight for the pixel.
SHADER_FUNCTION FocusLayer withSource(FocusLayer layer, vec4 light, float radius, float weight) {
  layer.sum = layer.sum + vec4(light.x, light.y, light.z, 1.0f) * weight;
  layer.far = layer.far + vec2(radius, 1.0f) * light.w;
  return layer;
}

// The focus layer at a pixel that no disc of another pixel reaches.
SHADER_FUNCTION FocusLayer focusAlone(vec3 c, float r) {
  FocusLayer layer;
  layer.sum = vec4(c, 1.0f) * (1.0f - farPart(r));
  layer.far = vec2(r, 1.0f) * farPart(r);
  return layer;
}

// Whether a surface of radius r spreads to other pixels. Where no surface around spreads, focusAlone() is the focus
// layer.
SHADER_FUNCTION bool isSoft(float r) { return r > kSharpPx && r < kFarPx; }

// The part of a pixel that shows the far field. Coverage below 1 counts only where a far field is near.
SHADER_FUNCTION float farShare(FocusLayer layer) {
  return (1.0f - min(layer.sum.w, 1.0f)) * min(layer.far.y, 1.0f);
}
// The radius of the disc that a pixel of radius r gathers from the far field.
SHADER_FUNCTION float farRadius(FocusLayer layer, float r) {
  return mix(layer.far.x / max(layer.far.y, 1e-6f), r, farPart(r));
}

#endif
