// Which light is drawn as sprites. Also compiled as C++ (app/lens/highlights.cpp) and CUDA (cuda/lens/highlights.cu);
// SHADER_FUNCTION is put before every function, such as `__device__ inline`.
#ifndef SHADER_FUNCTION
#define SHADER_FUNCTION
#endif

// Of linear light with the primaries of sRGB (Rec. 709).
SHADER_FUNCTION float luminance(float r, float g, float b) { return 0.2126f * r + 0.7152f * g + 0.0722f * b; }

// The part of a pixel's light, 0 to 1, that its sprite spreads over the circle of confusion: what exceeds the
// threshold (> 0), from none at |R| = minRadiusPx (> 0) to all at twice that. The rest stays in the picture, so
// energy is conserved, and nothing pops, the part being continuous in both.
SHADER_FUNCTION float highlightPart(float luminance_, float radiusPx, float threshold, float minRadiusPx) {
  float bright = 1.0f - threshold / max(luminance_, threshold);
  float blurred = min(max(abs(radiusPx) / minRadiusPx - 1.0f, 0.0f), 1.0f);
  return bright * blurred;
}
