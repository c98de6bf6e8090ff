// What all passes of the layered lens share. R is the signed radius in pixels, negative in front of the focus plane.
#ifndef SHADERS_LENS_LAYERED_LAYERS_GLSL
#define SHADERS_LENS_LAYERED_LAYERS_GLSL
#include "shaders/lens/near_scatter.glsl"

// Surfaces behind the focus plane are in the focus layer (shaders/lens/layered/focus.glsl) up to kFocusPx, behind it from kFarPx
// on, and partly in both between. Below, edges of the far field would cut soft outlines; above, discs outgrow the 21 pixels that the
// focus layer gathers. A quarter more or less costs up to 0.3 dB from one camera, 0.07 dB in the mean.
const float kFocusPx = 1.75f, kFarPx = 2.5f;
SHADER_FUNCTION float farPart(float r) { return smoothstep(kFocusPx, kFarPx, r); }

// The half-width of a tent over the radius of a disc with the same variance: sqrt(6) / 2. 1.5 costs up to 0.10 dB.
const float kTentReach = 1.22f;
// The level of a pyramid whose tents have the variance of a disc of radius `reach`; cells of level 0 have 2 pixels a side.
SHADER_FUNCTION float tentLevel(float reach) { return log2(max(kTentReach * reach, 2.0f)) - 1.0f; }

// Part of a near pixel that shows the background. Above 0 once the disc outgrows the pixel: see nearPart().
SHADER_FUNCTION float hiddenPart(float r) { return clamp(-r - 0.5f, 0.0f, 1.0f); }

// Blended surfaces of no more opacity are none.
const float kLeastOpacity = 1e-4f;
// Of a pixel of a layer of blended surfaces, from its sums of weighted depths and of weights (BlendedLayer::depth), as if
// it was in front of the focus plane. 0 where the layer is empty.
SHADER_FUNCTION float layerRadius(ThinLens lens, vec4 depths) {
  return depths.w > kLeastOpacity ? -abs(signedRadius(lens, depths.x / depths.w)) : 0.0f;
}

struct FarRule {
  ThinLens lens;
  SHADER_COMPARABLE(FarRule)
};

// A pixel of the pyramid of shaders/lens/layered/far.glsl. It weighs as in farWeight() of middle.glsl: a
// pixel that gives a disc little light shrinks the disc little. A cell is the mean of the four below.
SHADER_FUNCTION vec3 farCellOfPixel(float r) { return vec3(1.0f, r, r * r) * farPart(r) * sqrt(max(r, 0.0f)); }

#endif
