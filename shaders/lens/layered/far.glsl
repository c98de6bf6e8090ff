// The radius of the disc that a pixel gathers from the far field. A surface behind the focus plane spreads its light
// over its own disc. A pixel of a farther surface beside it has a wider disc, and would gather too much light of the
// nearer surface. So the disc shrinks where it contains smaller radii.
// A pyramid holds weighted means of 1, R and R^2 over the pixels of the far field. If the part f of a disc has the
// radius a and the rest the radius b of its centre, E[b - R] = f (b - a) and E[(b - R)^2] = f (b - a)^2 give a and f.
// Where radii grow evenly, as on a floor, E[b - R] = 0. Cost: eight cells a pixel. Measured: images with one layer lose
// up to 1.6 dB without it. Images with middle layers lose at most 0.03 dB, because the edges of these layers are as
// soft as their discs: there, discs do not shrink.
#ifndef SHADERS_LENS_LAYERED_FAR_GLSL
#define SHADERS_LENS_LAYERED_FAR_GLSL
#include "shaders/lens/layered/levels.glsl"

// The part f of smaller radii from which on a disc shrinks in full, to the radius a: kMaxPart if b - a is at most
// kAlike b, kMinPart if it is kUnlike b or more. So outlines between wide blurs of several surfaces are soft, and
// surfaces nearly in focus have no halo. A disc does not shrink if b - a is below kMinShrink b, and freely from
// kFullShrink b on: the radii of one surface vary that much. Measured: larger parts leave halos around surfaces in
// focus (up to -0.17 dB); smaller parts harden outlines between wide blurs (up to -0.23 dB).
const float kMaxPart = 0.8f, kMinPart = 0.35f, kAlike = 0.3f, kUnlike = 0.6f;
const float kMinShrink = 0.05f, kFullShrink = 0.15f;

// The level of the pyramid whose tents have the variance of a disc of radius b: `fine`, blended with the next one. The
// blend is linear between powers of 2.
struct FarLevel {
  int fine;
  float coarser;  // the part of the next level
};
SHADER_FUNCTION FarLevel farLevel(float b) {
  uint bits = floatBitsToUint(max(0.5f * kTentReach * b, 1.0f));
  FarLevel level;
  level.fine = min(int(bits >> 23u) - 127, kFillLevels - 1);
  level.coarser = level.fine < kFillLevels - 1 ? uintBitsToFloat((bits & 0x7fffffu) | 0x3f800000u) - 1.0f : 0.0f;
  return level;
}

// The shrunk radius of a disc of radius b. `sums`: the means of 1, R and R^2 in the disc.
SHADER_FUNCTION float shrunkRadius(vec4 sums, float b) {
  float below = b * sums.x - sums.y;
  if (below <= 0.0f) return b;
  float square = max(b * (b * sums.x - 2.0f * sums.y) + sums.z, 1e-6f), shrink = square / below;
  float full = mix(kMaxPart, kMinPart, smoothstep(kAlike, kUnlike, shrink / b));
  float part = min(below * below / (square * sums.x * full), 1.0f);
  return max(b - shrink * part * (2.0f - part) * smoothstep(kMinShrink, kFullShrink, shrink / b), kFarPx);
}

// The means of 1, R and R^2 in the disc of radius b around pixel centre `at`.
LEVELS_FUNCTION SHADER_FUNCTION vec4 farSumsAround(Levels farRadii, vec2 at, float b) {
  FarLevel level = farLevel(b);
  vec4 sums = ofLevel(farRadii, at, level.fine);
  return level.coarser > 0.0f ? mix(sums, ofLevel(farRadii, at, level.fine + 1), level.coarser) : sums;
}

// The radius of the disc that the pixel with centre `at` and radius b gathers from the far field.
LEVELS_FUNCTION SHADER_FUNCTION float gatheredRadius(Levels farRadii, vec2 at, float b) {
  return b > kFarPx ? shrunkRadius(farSumsAround(farRadii, at, b), b) : b;
}
#endif
