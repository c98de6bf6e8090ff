// Circles of confusion.
#ifndef SHADERS_LENS_THIN_LENS_GLSL
#define SHADERS_LENS_THIN_LENS_GLSL
#include "shaders/common/shared.glsl"

#ifndef __cplusplus
struct ThinLens {  // see shaders/lens/thin_lens.h
  float alpha, beta, nearScale, farScale, anamorphicRatio;
  int scattersFar;
};
#endif

// Signed radius in pixels at depth d = nearM / z, positive behind the focus plane: R = K (1 - S/z) = alpha d + beta.
SHADER_FUNCTION float thinLensRadius(float depth, float alpha, float beta) {
  precise float radius = alpha * depth + beta;
  return radius;
}

// A signed radius times nearScale in front of the focus plane, farScale behind it.
SHADER_FUNCTION float scaledRadius(float r, float nearScale, float farScale) {
  precise float scaled = r * (r < 0.0f ? nearScale : farScale);
  return scaled;
}

// The largest radius in pixels. The area of a wider disc would not fit in an int at an anamorphic ratio of 4.
SHADER_FUNCTION float widestRadiusPx() { return 12288.0f; }

// Signed radius in pixels at depth nearM / z, scaled: without the limit widestRadiusPx(), and with it. The latter also
// applies ThinLens::scattersFar.
SHADER_FUNCTION float unlimitedRadius(ThinLens lens, float depth) {
  return scaledRadius(thinLensRadius(depth, lens.alpha, lens.beta), lens.nearScale, lens.farScale);
}
SHADER_FUNCTION float signedRadius(ThinLens lens, float depth) {
  float r = clamp(unlimitedRadius(lens, depth), -widestRadiusPx(), widestRadiusPx());
  return lens.scattersFar != 0 && depth > 0.0f ? -abs(r) : r;
}

// Signed radius linear in the distance, as in GPU Gems 3, 39.3.2: 0 at the focus plane, fullRadiusPx from rangeM metres
// behind it on, -fullRadiusPx from rangeM in front of it on.
SHADER_FUNCTION float linearRadius(float depth, float nearM, float focusM, float rangeM, float fullRadiusPx) {
  float distanceM = nearM / max(depth, 1e-30f);
  return clamp((distanceM - focusM) / rangeM, -1.0f, 1.0f) * fullRadiusPx;
}

// Half-width of the square with the area of a disc, sqrt(pi) / 2 radii. Radii below one pixel keep the half-width for
// one pixel; blurWeight() fades their blur out.
SHADER_FUNCTION float boxHalfWidth(float radiusPx) { return 0.886226925f * max(abs(radiusPx), 1.0f); }

// Whole pixels to either side of the centre along x, for a box with n pixels above and below it.
SHADER_FUNCTION int boxReachX(int n, float anamorphicRatio) {
  precise float reach = (float(n) + 0.5f) * anamorphicRatio;
  return int(reach);
}

// Weight of the blurred value: 0 for radii up to kUntouchedPx, 1 from one pixel on.
const float kUntouchedPx = 0.0625f;
SHADER_FUNCTION float blurWeight(float radiusPx) {
  return clamp((abs(radiusPx) - kUntouchedPx) / (1.0f - kUntouchedPx), 0.0f, 1.0f);
}

#endif
