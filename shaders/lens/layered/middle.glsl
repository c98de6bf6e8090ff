// The middle layers: surfaces behind the focus plane with radii above the focus layer and below the far field. Each
// layer scatters every pixel over its own disc. So its surfaces have edges as soft as their discs, and hide the
// surfaces behind. In the far field alone, a pixel takes the mean of one disc: around a surface with a small disc it
// would miss the light of the wide discs behind. The first layer lies over the second, the second over the far field.
// A surface between the radii of two layers is partly in both. Its parts in all layers sum to 1.
#ifndef SHADERS_LENS_LAYERED_MIDDLE_GLSL
#define SHADERS_LENS_LAYERED_MIDDLE_GLSL
#include "shaders/lens/layered/layers.glsl"

const int kMiddleLayers = 2;

#ifndef __cplusplus
struct MiddleRule {  // see shaders/lens/layered/middle.h
  vec2 second, far;
};
#endif

// The radii between which surfaces enter a layer: a middle layer, or for kMiddleLayers the far field.
SHADER_FUNCTION vec2 entryPx(MiddleRule rule, int layer) {
  return layer == 0 ? vec2(kFocusPx, kFarPx) : layer == 1 ? rule.second : rule.far;
}

// The part of a surface of radius r that is in this layer or behind it: in the layer alone for middlePart().
SHADER_FUNCTION float beyondPart(MiddleRule rule, int layer, float r) {
  vec2 entry = entryPx(rule, layer);
  return smoothstep(entry.x, entry.y, r);
}
SHADER_FUNCTION float middlePart(MiddleRule rule, int layer, float r) {
  return beyondPart(rule, layer, r) - beyondPart(rule, layer + 1, r);
}

// The part of the second layer of depth that joins a layer behind a surface of radius r. It is 0 behind a surface that
// may be in the same layer, because the parts of both would mix. Measured: a later end (0.89) costs up to 0.2 dB around
// lamps.
const float kBehindPart = 2.0f / 7.0f, kAlonePart = 5.0f / 7.0f;
SHADER_FUNCTION float behindPart(MiddleRule rule, int layer, float r) {
  float entry = entryPx(rule, layer).x;
  return 1.0f - smoothstep(kBehindPart * entry, kAlonePart * entry, r);
}

// Weight of a pixel of radius r for other pixels that gather the far field: the root of R over the radius at infinity.
// With even weights, surfaces with small discs would bleed into the wide discs behind them. Measured in the mean over
// four cameras: the root is better than the powers 0, 0.35, 0.7 and 1.
SHADER_FUNCTION float farWeightAt(ThinLens lens, float r) {
  return sqrt(clamp(r / max(lens.beta * lens.farScale, 1.0f), 0.0f, 1.0f));
}
SHADER_FUNCTION float farWeight(ThinLens lens, MiddleRule rule, float r) {
  return beyondPart(rule, kMiddleLayers, r) * farWeightAt(lens, r);
}

struct MiddlePixel {
  vec4 light;  // premultiplied; alpha: the part of the pixel in the layer
  float radius;
};

// A pixel of a middle layer. c, r: light and radius of the surface at the pixel. behind, behindRadius: of the surface
// behind it, of which the part `share` joins the layer.
SHADER_FUNCTION MiddlePixel middlePixel(MiddleRule rule, int layer, vec3 c, float r, vec3 behind, float behindRadius,
                                        float share) {
  float own = middlePart(rule, layer, r), others = share * middlePart(rule, layer, behindRadius), sum = own + others;
  MiddlePixel pixel;
  pixel.light = vec4(c * own + behind * others, sum);
  pixel.radius = sum > 0.0f ? (r * own + behindRadius * others) / sum : 0.0f;
  return pixel;
}

// The depth nearM / z of a radius behind the focus plane, for farScale > 0.
SHADER_FUNCTION float depthOfRadius(ThinLens lens, float r) { return (r / lens.farScale - lens.beta) / lens.alpha; }

// If the far field fills at least this part of a disc, its colour is known in full. With less of the far field and of
// the middle layers, `other` of behindFocus() fills the rest. This keeps noise of the fixed point out of almost empty
// discs; 0.001 dB.
const float kKnownPart = 0.01f;

// Coverage above kSolidFrom is raised, to 1 from kSolidTo on, where at most kFewFar of a disc is in the far field:
// where radii vary, the discs of one surface cover less than 1. Measured: otherwise lamps shine through soft surfaces
// (up to -0.23 dB).
const float kSolidFrom = 0.6f, kSolidTo = 0.9f, kFewFar = 0.1f;

// The parts of a pixel that show the first middle layer, the second one and the far field, behind the focus layer of
// coverage `focus`. first, second: the scattered coverages of the middle layers. far: the part of the disc of the far
// field that the far field fills. From front to back, coverages add up to at most 1, and the far field has the rest.
// Where the layers in front are solid, they share its part.
SHADER_FUNCTION vec3 shownParts(float focus, float first, float second, float far) {
  float toFocus = min(focus, 1.0f), toFirst = min(toFocus + first, 1.0f), toSecond = min(toFirst + second, 1.0f);
  float solid = smoothstep(kSolidFrom, kSolidTo, toSecond) * (1.0f - smoothstep(0.0f, kFewFar, far));
  float rest = 1.0f - toFocus, gain = mix(1.0f, rest / max(toSecond - toFocus, 1e-6f), solid);
  vec2 middle = vec2(toFirst - toFocus, toSecond - toFirst) * gain;
  return vec3(middle, max(rest - middle.x - middle.y, 0.0f));
}

#endif
