// Circles of confusion.
#ifndef SHADERS_LENS_THIN_LENS_GLSL
#define SHADERS_LENS_THIN_LENS_GLSL
#include "shaders/common/shared.glsl"

#ifndef __cplusplus
struct ThinLens {  // see shaders/lens/thin_lens.h
  float alpha, beta, nearScale, farScale, anamorphicRatio;
};
#endif

// Signed radius in pixels, positive behind the focus plane, at depth d = nearM / z. Thin lens:
// R = K (1 - S/z) = alpha d + beta.
SHADER_FUNCTION float thinLensRadius(float depth, float alpha, float beta) {
  precise float radius = alpha * depth + beta;
  return radius;
}

// A signed radius times the multiplier of its side of the focus plane.
SHADER_FUNCTION float scaledRadius(float r, float nearScale, float farScale) {
  precise float scaled = r * (r < 0.0f ? nearScale : farScale);
  return scaled;
}

// Signed radius in pixels at depth d = nearM / z.
SHADER_FUNCTION float signedRadius(ThinLens lens, float depth) {
  return scaledRadius(thinLensRadius(depth, lens.alpha, lens.beta), lens.nearScale, lens.farScale);
}

// Linear in distance, as in GPU Gems 3, 39.3.2: from 0 at the focus plane to fullRadiusPx at rangeM metres from it.
SHADER_FUNCTION float linearRadius(float depth, float nearM, float focusM, float rangeM, float fullRadiusPx) {
  float distanceM = nearM / max(depth, 1e-30f);
  return clamp((distanceM - focusM) / rangeM, -1.0f, 1.0f) * fullRadiusPx;
}

// Half-width of the square with the area of a disc: sqrt(pi) / 2 radii. Below one pixel the disc, seen through
// the pixel's own square, takes light from the same neighbours, ever less of it: see blurWeight().
SHADER_FUNCTION float boxHalfWidth(float radiusPx) { return 0.886226925f * max(abs(radiusPx), 1.0f); }

// Whole pixels beside the middle one along x, of a box of n pixels below and above it that is stretched along x.
SHADER_FUNCTION int boxReachX(int n, float anamorphicRatio) {
  precise float reach = (float(n) + 0.5f) * anamorphicRatio;
  return int(reach);
}

// How much of the box replaces the pixel: 0 up to 1/16 pixel, where nothing is touched, 1 from 1 pixel on.
SHADER_FUNCTION float blurWeight(float radiusPx) { return clamp((abs(radiusPx) - 0.0625f) / 0.9375f, 0.0f, 1.0f); }

#endif
