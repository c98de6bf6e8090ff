// Functions of all passes of the layered lens. R is the signed radius in pixels, negative in front of the focus plane.
#ifndef SHADERS_LENS_LAYERED_LAYERS_GLSL
#define SHADERS_LENS_LAYERED_LAYERS_GLSL
#include "shaders/lens/near_scatter.glsl"

// Surfaces behind the focus plane are in the focus layer (shaders/lens/layered/focus.glsl) up to kFocusPx, behind the
// focus layer from kFarPx on, and partly in both in between. With smaller limits, edges of the far field would cut soft
// outlines; with larger ones, discs outgrow the 21 pixels that the focus layer gathers. Measured: a quarter more or
// less costs up to 0.3 dB from one camera, 0.07 dB in the mean.
const float kFocusPx = 1.75f, kFarPx = 2.5f;
SHADER_FUNCTION float farPart(float r) { return smoothstep(kFocusPx, kFarPx, r); }

// The half-width of a tent over the radius of the disc with the same variance: sqrt(6) / 2. Measured: 1.5 costs up to
// 0.10 dB.
const float kTentReach = 1.22f;
// The level of a pyramid whose tents have the variance of a disc of radius `reach`. Bilinear interpolation between
// cells weighs them by a tent with the half-width of a cell. Cells of level 0 have 2 pixels a side.
SHADER_FUNCTION float tentLevel(float reach) { return log2(max(kTentReach * reach, 2.0f)) - 1.0f; }

// The part of a near pixel where the background shows. It is above 0 once the disc outgrows the pixel: see nearPart().
SHADER_FUNCTION float hiddenPart(float r) { return clamp(-r - 0.5f, 0.0f, 1.0f); }

// A layer of blended surfaces is empty where its opacity is at most this.
const float kMinOpacity = 1e-4f;
// Minus the absolute radius of a layer of blended surfaces, so that it is scattered as a near surface; 0 where the
// layer is empty. `depths`: BlendedLayer::depth.
SHADER_FUNCTION float layerRadius(ThinLens lens, vec4 depths) {
  return depths.w > kMinOpacity ? -abs(signedRadius(lens, depths.x / depths.w)) : 0.0f;
}

struct FarRule {
  ThinLens lens;
  SHADER_COMPARABLE(FarRule)
};
// Places of the images: first those that the pass reads, then those that it writes.
const int kFarDepth = 0;
const int kFarRadii = 0;

// A pixel of radius r in the pyramid of shaders/lens/layered/far.glsl: R^0, R^1 and R^2, weighted as in farWeight() of
// middle.glsl, so that a pixel that gives a disc little light shrinks the disc little. A cell is the mean of the four
// below it.
SHADER_FUNCTION vec3 farCellOfPixel(float r) { return vec3(1.0f, r, r * r) * farPart(r) * sqrt(max(r, 0.0f)); }

#endif
