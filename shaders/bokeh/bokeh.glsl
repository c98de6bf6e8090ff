// Selects the light that becomes bokeh sprites. All devices find the same highlights of the same kinds: decisions use
// only sums and products of floats that are not contracted (`precise`, -ffp-contract=off, --fmad=false).
#include "shaders/lens/thin_lens.glsl"

// Luminance of linear light with the primaries of sRGB (Rec. 709).
SHADER_FUNCTION float luminance(float r, float g, float b) {
  precise float y = 0.2126f * r + 0.7152f * g + 0.0722f * b;
  return y;
}

// The part of a pixel's light, 0 to 1, that its sprite scatters over the circle of confusion. It fades in from the
// threshold (> 0) to twice the threshold, and from |R| = minRadiusPx (> 0) to twice that. The rest stays in the image, so
// energy is conserved. Light that stays is gathered over the radii of the pixels around it, hence a lamp leaves nothing
// once its disc outgrows a pixel. The part is continuous in luminance and radius, so sprites do not pop. Above 0 if both
// limits are exceeded.
SHADER_FUNCTION float highlightPart(float luminance_, float radiusPx, float threshold, float minRadiusPx) {
  float bright = min(max(luminance_ - threshold, 0.0f) / threshold, 1.0f);
  float blurred = min(max(abs(radiusPx) - minRadiusPx, 0.0f) / minRadiusPx, 1.0f);
  return bright * blurred;
}

// Highlights of one kind in one cell, an aligned square of pixels, become one sprite. The kind of a radius is its sign,
// octave and quarter of the octave: the first 11 bits of the float. A surface mostly has one kind or two. Not 0 for R
// != 0.
SHADER_FUNCTION uint highlightKind(float radiusPx) { return floatBitsToUint(radiusPx) >> 21; }

// log2 of the side of the cells of a kind: sides of 1, 2, 4, 8 and 16 pixels from |R| = 0, 4, 8, 16 and 32 on. So the
// sprites of a bright surface cover 13 to 50 times its area at any radius up to 64, and a cell is at most half a radius
// wide.
SHADER_FUNCTION int cellLevel(uint kind) { return min(max(int(kind >> 2 & 0xffu) - 128, 0), 4); }

// A pixel's light as a bokeh sprite.
struct Highlight {
  uint kind;  // 0: none
  float radius;
  vec3 light;
};
SHADER_FUNCTION Highlight highlightOf(vec3 colour, float radius, float threshold, float minRadiusPx) {
  float part = highlightPart(luminance(colour.x, colour.y, colour.z), radius, threshold, minRadiusPx);
  Highlight highlight;
  highlight.kind = part > 0.0f ? highlightKind(radius) : 0u;
  highlight.radius = radius;
  highlight.light = colour * part;
  return highlight;
}

// Sums over the highlights of a cell, weighted by their luminance.
struct BokehMoments {
  float weight, radius, pixels;
  vec2 centre;    // from the cell's first pixel
  vec3 variance;  // about the first pixel: along x, covariance, along y
  vec3 light;     // not weighted
};
SHADER_FUNCTION BokehMoments noMoments() {
  BokehMoments sum;
  sum.weight = 0.0f;
  sum.radius = 0.0f;
  sum.pixels = 0.0f;
  sum.centre = vec2(0.0f);
  sum.variance = vec3(0.0f);
  sum.light = vec3(0.0f);
  return sum;
}
// `from`: position of the highlight's pixel, relative to the first pixel.
SHADER_FUNCTION BokehMoments withHighlight(BokehMoments sum, Highlight highlight, vec2 from) {
  float w = luminance(highlight.light.x, highlight.light.y, highlight.light.z);
  sum.weight += w;
  sum.radius += w * highlight.radius;
  sum.pixels += 1.0f;
  sum.centre += w * from;
  sum.variance += vec3(w * from.x * from.x, w * from.x * from.y, w * from.y * from.y);
  sum.light += highlight.light;
  return sum;
}

// The three texels of a sprite, as BokehSprite in shaders/bokeh/bokeh.h.
struct SpriteTexels {
  vec4 place, light, shape;
};
SHADER_FUNCTION SpriteTexels spriteTexels(BokehMoments sum, vec2 firstPixel, float depth) {
  vec2 centre = sum.centre / sum.weight;
  vec3 variance = sum.variance / sum.weight - vec3(centre.x * centre.x, centre.x * centre.y, centre.y * centre.y);
  SpriteTexels texels;
  texels.place = vec4(firstPixel + 0.5f + centre, sum.radius / sum.weight, depth);
  texels.light = vec4(sum.light, sum.pixels);
  texels.shape = vec4(max(variance.x, 0.0f), variance.y, max(variance.z, 0.0f), sum.weight);
  return texels;
}
