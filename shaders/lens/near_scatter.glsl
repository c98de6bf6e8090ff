// The scatter of one pixel. All devices compute the same integers, because the code uses only operations that round
// alike everywhere: additions and multiplications of floats, neither contracted nor reordered (`precise`,
// -ffp-contract=off, --fmad=false); divisions of integers, not of floats; conversions, which are exact up to areas of
// 2^24 pixels and round to nearest beyond.
#ifndef SHADERS_LENS_NEAR_SCATTER_GLSL
#define SHADERS_LENS_NEAR_SCATTER_GLSL
#include "shaders/common/random.glsl"
#include "shaders/lens/thin_lens.glsl"
#include "shaders/lens/aperture/aperture.glsl"
#include "shaders/lens/aperture/staircase.glsl"

// The fixed-point value of coverage 1, and the largest light of a channel. In 2^32, 2^24 leaves room for 256
// overlapping layers of light 1, or 4 of light 64.
SHADER_FUNCTION float scatterScale() { return 16777216.0f; }
SHADER_FUNCTION float scatterCeiling() { return 64.0f; }

// 0 for signed radii r down to -fromPx; below, rises by `rise` a pixel to 1.
SHADER_FUNCTION float risingPart(float r, float fromPx, float rise) {
  precise float part = (-r - fromPx) * rise;
  return clamp(part, 0.0f, 1.0f);
}

// The part of a pixel in the near field. It reaches 1 before the disc outgrows the pixel, so the pixel does not become
// transparent. Measured: a jump to 1 at kNearFromPx costs 0.002 dB, and the image changes more while the focus moves
// (1.72 of 255 instead of 1.36).
const float kNearFromPx = 0.0625f, kNearRise = 2.2857143f;
SHADER_FUNCTION float nearPart(float r) { return risingPart(r, kNearFromPx, kNearRise); }

#ifndef __cplusplus
struct ScatterBand {  // see shaders/lens/near_scatter.h
  float fromPx, rise, untilPx, fall;
};
struct ScatterRule {
  ThinLens lens;
  Aperture aperture;
  ScatterBand band;
  int steps;
  float widestPx;
};
#endif

// The part of a pixel of signed radius r that is scattered.
SHADER_FUNCTION float scatteredPart(float r, ScatterBand band) {
  precise float part = risingPart(r, band.fromPx, band.rise) - risingPart(r, band.untilPx, band.fall);
  return max(part, 0.0f);
}

// 1 / a for a > 0: an integer division gives 15 bits, a Newton step the rest.
SHADER_FUNCTION float reciprocal(float a) {
  uint bits = floatBitsToUint(a);
  uint mantissa = ((bits >> 8u) & 0x7fffu) | 0x8000u;
  float power = uintBitsToFloat(0x7f000000u - (bits & 0x7f800000u));
  precise float rough = float(0x80000000u / mantissa) * 1.52587890625e-5f * power;
  precise float fine = rough * (2.0f - a * rough);
  return fine;
}

// 1 / sqrt(a) for a > 0: a guess from the exponent and three Newton steps.
SHADER_FUNCTION float reciprocalRoot(float a) {
  float root = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(a) >> 1u));
  for (int i = 0; i < 3; ++i) {
    precise float next = root * (1.5f - 0.5f * a * root * root);
    root = next;
  }
  return root;
}

// The ellipse that stands for a disc cut by a second stop (optical vignetting, "cat's eyes").
struct CutDisc {
  float radius;  // half-height, positive
  float ratio;   // of the width to the height
  vec2 lean;     // from the centre of the disc to the centre of the ellipse, in radii
};

// The cut disc of signed radius r for pixel centre p. Two discs of radius 1 whose centres are v apart intersect in a
// lens shape around the middle between them. The variances of this shape, divided by the variances of a disc, are
//   1 - 1.04 v + 0.275 v^2 along the line of centres, 1 - 0.208 v - 0.145 v^2 across it (error up to 0.004 for v <=
//   1.6).
// The ellipse keeps the variances along x and y. It drops the covariance, because tables sum axis-aligned rectangles:
// that costs 0.1 dB.
SHADER_FUNCTION CutDisc cutDisc(Aperture aperture, vec2 p, float r) {
  CutDisc disc;
  disc.radius = abs(r);
  disc.ratio = aperture.anamorphicRatio;
  disc.lean = vec2(0.0f);
  if (aperture.catEye <= 0.0f) return disc;
  precise float x = (p.x - aperture.axisPx.x) * aperture.catEye;
  precise float y = (p.y - aperture.axisPx.y) * aperture.catEye;
  precise float squared = x * x + y * y;
  float inverse = reciprocalRoot(max(squared, 1e-12f));
  precise float v = min(squared * inverse, 1.9f);
  precise float alongX = x * inverse;
  precise float alongY = y * inverse;
  precise float along = 1.0f + v * (0.275f * v - 1.04f);
  precise float across = 1.0f - v * (0.208f + 0.145f * v);
  precise float ofX = across + (along - across) * alongX * alongX;
  precise float ofY = across + (along - across) * alongY * alongY;
  float inverseY = reciprocalRoot(ofY);
  precise float radius = disc.radius * ofY * inverseY;
  precise float ratio = disc.ratio * ofX * reciprocalRoot(ofX) * inverseY;
  precise float leanY = (r < 0.0f ? 0.5f : -0.5f) * v * inverseY;
  precise float leanX = leanY * disc.ratio;
  disc.radius = radius;
  disc.ratio = ratio;
  disc.lean = vec2(leanX * alongX, leanY * alongY);
  return disc;
}

// From the pixel to the centre of staircase disc n for a cut disc, in pixels. Discs n and n + 1, which a cut disc
// blends, have their own centres.
SHADER_FUNCTION ivec2 leaningShift(CutDisc disc, int n) {
  precise float x = 0.5f + disc.lean.x * (float(n) + 0.5f);
  precise float y = 0.5f + disc.lean.y * (float(n) + 0.5f);
  return ivec2(floor(x), floor(y));
}

struct NearWeights {
  float inner, outer;
};
// The fixed-point coverage that `part` of a pixel adds to each pixel of disc n = discIndex(radius), of area innerArea,
// and to each pixel of disc n + 1, of area outerArea. Summed over both discs, the coverage is `part` pixels.
SHADER_FUNCTION NearWeights nearWeights(float part, float radius, int innerArea, int outerArea) {
  precise float blend = discBlend(radius);
  precise float area = float(innerArea) + float(outerArea - innerArea) * blend;
  precise float both = part * scatterScale() * reciprocal(area);
  precise float inner = both * (1.0f - blend);
  precise float outer = both * blend;
  NearWeights weights;
  weights.inner = inner;
  weights.outer = outer;
  return weights;
}

// A reproducible number in [0, 1) for unbiased rounding.
SHADER_FUNCTION float dither(uint x, uint y, uint channel) {
  return random((y * 16384u + x) * 4u + channel);
}

// Discs of smaller radii stay centred on their pixel. Measured: a limit of 5 px costs up to 0.07 dB.
const float kMinShiftedPx = 4.0f;
const float kShiftPart = 0.25f;  // a disc moves by this times (|R| - kMinShiftedPx) grad R
SHADER_FUNCTION bool isShifted(float r) { return r < -kMinShiftedPx; }

// By how many pixels a disc moves along an axis. `before`, `r`, `after`: the signed radii of the pixel and of its
// neighbours along the axis. `ratio`: the width of the aperture along the axis. From the point a of the aperture, |a|
// <= 1, a pixel of a surface appears a R pixels away and fills 1 + a . grad R times its area. So its exact disc is not
// uniform: its centre of gravity is R grad R / 4 off the pixel. The uniform disc that is drawn moves there; small discs
// move less, because they would jump while the focus moves. The gradient of the surface is the lesser of two
// differences, because the other one may lie across an edge. If both do, the disc stays.
SHADER_FUNCTION int discShift(float before, float r, float after, float ratio) {
  precise float low = (r - before) * ratio;
  precise float high = (after - r) * ratio;
  float slope = abs(low) < abs(high) ? low : high;
  precise float steep = max(2.0f - abs(slope), 0.0f);
  float kept = abs(slope) <= 1.0f ? slope : (slope < 0.0f ? -steep : steep);
  precise float shift = 0.5f - kept * max(-r - kMinShiftedPx, 0.0f) * ratio * kShiftPart;
  return int(floor(shift));
}

// The word that a channel of pixel (x, y) adds to each pixel of a disc. `weight`: a member of NearWeights.
SHADER_FUNCTION uint scatterWord(float light, float weight, uint x, uint y, uint channel) {
  precise float exact = clamp(light, 0.0f, scatterCeiling()) * weight;
  precise float dithered = exact + dither(x, y, channel);
  return uint(dithered);
}

// The words of pixel p for its four channels: premultiplied colour and coverage.
SHADER_FUNCTION uvec4 scatterWords(vec3 light, float weight, ivec2 p) {
  uint x = uint(p.x), y = uint(p.y);
  return uvec4(scatterWord(light.x, weight, x, y, 0u), scatterWord(light.y, weight, x, y, 1u),
               scatterWord(light.z, weight, x, y, 2u), scatterWord(1.0f, weight, x, y, 3u));
}

#endif
