// The focus layer: surfaces in focus and up to kFarPx behind it. Every pixel gathers what the discs around it scatter, from 21
// pixels for an aperture without anamorphic ratio. The layer lies over the far field, so the edges of its surfaces are
// as soft as their discs, and what they hide comes from the far field around them.
#ifndef SHADERS_LENS_LAYERED_FOCUS_GLSL
#define SHADERS_LENS_LAYERED_FOCUS_GLSL
#include "shaders/lens/layered/layers.glsl"

// Discs 0 to kFocusReach have all surfaces of the layer. Disc n has n rows above and below its centre.
const int kFocusReach = 2;
// Surfaces with smaller radii stay in their pixel. Larger limits make the step visible (0.02 dB at 0.08); 0 gathers everywhere.
const float kSharpPx = 0.0625f;

#ifndef __cplusplus
struct FocusDiscs {  // see shaders/lens/layered/focus.h
  ivec4 rows[3];
  vec4 areas;
};
#endif

// As discBlend(), but steeper below 1.5 pixels, as far as no pixel flickers when the focus moves.
SHADER_FUNCTION float focusBlend(float r) {
  float part = max(r - kSharpPx, 0.0f) / (1.5f - kSharpPx);
  return r < 1.5f ? part * part * (1.6f - 0.6f * part) : discBlend(r);
}

// A pixel that others gather.
struct FocusSource {
  vec4 light;  // colour, part in the far field
  vec3 weights;  // what pixels get of the rest, by the smallest disc that has them
  float radius;
};
// `areas`: of discs 0 to 2.
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
  vec2 far;  // sum of radii by their far parts, sum of these parts
};

SHADER_FUNCTION FocusLayer withSource(FocusLayer layer, vec4 light, float radius, float weight) {
  layer.sum = layer.sum + vec4(light.x, light.y, light.z, 1.0f) * weight;
  layer.far = layer.far + vec2(radius, 1.0f) * light.w;
  return layer;
}

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
