// The middle layers: surfaces behind the focus plane between the focus layer and the far field, by their radius. Each layer
// scatters every pixel over its own disc, so its surfaces have edges as soft as their discs, and hide what is behind them. In
// the far field alone, a pixel takes the mean of one disc: around a surface with a small disc it would miss the light of
// the wide discs behind. Layers lie over each other, the first over the second over the far field.
// A surface between the radii of two layers is partly in both; all its parts sum to 1.
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

// The part of a surface of radius r in a layer or behind it.
SHADER_FUNCTION float beyondPart(MiddleRule rule, int layer, float r) {
  vec2 entry = entryPx(rule, layer);
  return smoothstep(entry.x, entry.y, r);
}
SHADER_FUNCTION float middlePart(MiddleRule rule, int layer, float r) {
  return beyondPart(rule, layer, r) - beyondPart(rule, layer + 1, r);
}

// The part of the second layer of depth that is in a layer, behind a surface of radius r. None behind surfaces that may be in
// the layer, too: their own parts would be mixed with it. A later end (0.89) costs up to 0.2 dB around lamps.
const float kBehindPart = 2.0f / 7.0f, kAlonePart = 5.0f / 7.0f;
SHADER_FUNCTION float behindPart(MiddleRule rule, int layer, float r) {
  float entry = entryPx(rule, layer).x;
  return 1.0f - smoothstep(kBehindPart * entry, kAlonePart * entry, r);
}

// Weight of a pixel in the far blur of other pixels. It grows with the root of R up to infinity: surfaces with small discs
// would bleed into the wide discs behind them. In the mean over four cameras, the root is better than the powers 0, 0.35,
// 0.7 and 1.
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

// Of a pixel with light c and radius r, behind which is the light `behind` of radius behindRadius, by the part `share`.
SHADER_FUNCTION MiddlePixel middlePixel(MiddleRule rule, int layer, vec3 c, float r, vec3 behind, float behindRadius,
                                        float share) {
  float own = middlePart(rule, layer, r), others = share * middlePart(rule, layer, behindRadius), sum = own + others;
  MiddlePixel pixel;
  pixel.light = vec4(c * own + behind * others, sum);
  pixel.radius = sum > 0.0f ? (r * own + behindRadius * others) / sum : 0.0f;
  return pixel;
}

// nearM / z of a radius behind the focus plane; farScale > 0.
SHADER_FUNCTION float depthOfRadius(ThinLens lens, float r) { return (r / lens.farScale - lens.beta) / lens.alpha; }

// A far field of this part of a disc is known in full; with less of it and of the middle layers, the colour in front continues. It
// keeps noise of the fixed point out of almost empty discs; 0.001 dB.
const float kKnownPart = 0.01f;

// Coverage from kSolidFrom to kSolidTo rises to 1 where at most kFewFar of a disc is in the far field: radii that vary make
// the discs of one surface cover less than 1. Without the rise, lamps shine through soft surfaces: up to -0.23 dB.
const float kSolidFrom = 0.6f, kSolidTo = 0.9f, kFewFar = 0.1f;

// The parts of a pixel that show the first and the second middle layer and the far field, behind the focus layer of coverage
// `focus`, for the scattered coverages of both; far: the part of the disc of the far field that is in it. Coverages add up from the
// front, to at most 1. The far field has the rest, or nothing where the layers before it are solid: then they share the rest.
SHADER_FUNCTION vec3 shownParts(float focus, float first, float second, float far) {
  float toFocus = min(focus, 1.0f), toFirst = min(toFocus + first, 1.0f), toSecond = min(toFirst + second, 1.0f);
  float solid = smoothstep(kSolidFrom, kSolidTo, toSecond) * (1.0f - smoothstep(0.0f, kFewFar, far));
  float rest = 1.0f - toFocus, gain = mix(1.0f, rest / max(toSecond - toFocus, 1e-6f), solid);
  vec2 middle = vec2(toFirst - toFocus, toSecond - toFirst) * gain;
  return vec3(middle, max(rest - middle.x - middle.y, 0.0f));
}

#endif
