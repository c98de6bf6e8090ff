// The radius of the disc that a pixel gathers from the far field. A surface behind the focus plane spreads its light over
// its own disc. Around it, a pixel that gathers from the wider disc of a surface behind it would take too much of it. So
// where smaller radii are in a disc, the disc shrinks to them.
// A pyramid keeps weighted sums of 1, R and R^2 over the pixels of the far field. If a part f of a disc has the radius a and the rest
// the radius b of its centre, E[b - R] = f (b - a) and E[(b - R)^2] = f (b - a)^2 tell both. Where radii grow evenly, as on a
// floor, E[b - R] = 0. Cost: eight cells a pixel. Without it, one layer loses up to 1.6 dB; images with middle layers, whose edges
// are as soft as their discs, at most 0.03 dB: their discs do not shrink.
#ifndef SHADERS_LENS_LAYERED_FAR_GLSL
#define SHADERS_LENS_LAYERED_FAR_GLSL
#include "shaders/lens/layered/levels.glsl"

// A disc shrinks in full from this part of smaller radii on: kMostPart if they are smaller by at most kAlike of its own radius,
// kLeastPart if by kUnlike or more. So outlines between wide blurs of several surfaces are soft, and there is no halo around
// surfaces nearly in focus. It shrinks not at all if they are smaller by less than kLeastShrink, freely from kFullShrink on: radii of
// one surface vary so much. Larger parts leave halos around surfaces in focus, up to -0.17 dB; smaller ones harden outlines between
// wide blurs, up to -0.23 dB.
const float kMostPart = 0.8f, kLeastPart = 0.35f, kAlike = 0.3f, kUnlike = 0.6f;
const float kLeastShrink = 0.05f, kFullShrink = 0.15f;

// The level whose tents have the variance of a disc of radius b. Linear between powers of 2.
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

// The radius that a pixel of radius b gathers, from the sums around it.
SHADER_FUNCTION float shrunkRadius(vec4 sums, float b) {
  float below = b * sums.x - sums.y;
  if (below <= 0.0f) return b;
  float square = max(b * (b * sums.x - 2.0f * sums.y) + sums.z, 1e-6f), shrink = square / below;
  float full = mix(kMostPart, kLeastPart, smoothstep(kAlike, kUnlike, shrink / b));
  float part = min(below * below / (square * sums.x * full), 1.0f);
  return max(b - shrink * part * (2.0f - part) * smoothstep(kLeastShrink, kFullShrink, shrink / b), kFarPx);
}

// The sums in the disc of radius b around pixel centre `at`.
LEVELS_FUNCTION SHADER_FUNCTION vec4 farSumsAround(Levels farRadii, vec2 at, float b) {
  FarLevel level = farLevel(b);
  vec4 sums = ofLevel(farRadii, at, level.fine);
  return level.coarser > 0.0f ? mix(sums, ofLevel(farRadii, at, level.fine + 1), level.coarser) : sums;
}

// The radius of the disc that pixel centre `at` of radius b gathers from the far field.
LEVELS_FUNCTION SHADER_FUNCTION float gatheredRadius(Levels farRadii, vec2 at, float b) {
  return b > kFarPx ? shrunkRadius(farSumsAround(farRadii, at, b), b) : b;
}
#endif
