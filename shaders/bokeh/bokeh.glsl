// Selects the light that becomes bokeh sprites. A highlight is the light of one pixel that becomes part of a sprite.
// All devices find the same highlights of the same kinds: decisions use only sums and products of floats that are not
// contracted (`precise`, -ffp-contract=off, --fmad=false).
#include "shaders/common/luminance.glsl"
#include "shaders/lens/thin_lens.glsl"

#ifndef __cplusplus
struct BokehRule {  // see shaders/bokeh/bokeh.h
  ThinLens lens;
  float threshold, minRadiusPx, maxRadiusPx;
};
#endif

// The part of a pixel's light, 0 to 1, that becomes a sprite. The rest stays in the image, so energy is conserved.
// The part rises from 0 at the threshold (> 0) to 1 at twice the threshold, and from 0 at |R| = minRadiusPx (> 0) to 1
// at twice minRadiusPx: the lens would gather a lamp's remaining light over the radii of the pixels around the lamp, so
// nothing remains once the disc outgrows a pixel. The part falls to 0 from maxRadiusPx to twice maxRadiusPx: discs that
// cover the image have no visible shape. It is continuous in luminance and radius, so sprites do not pop.
SHADER_FUNCTION float highlightPart(float luminance_, float radiusPx, float threshold, float minRadiusPx,
                                    float maxRadiusPx) {
  float bright = min(max(luminance_ - threshold, 0.0f) / threshold, 1.0f);
  float blurred = min(max(abs(radiusPx) - minRadiusPx, 0.0f) / minRadiusPx, 1.0f);
  float shaped = min(max(2.0f * maxRadiusPx - abs(radiusPx), 0.0f) / maxRadiusPx, 1.0f);
  return bright * blurred * shaped;
}

// The kind of a radius: its sign, octave and quarter of the octave, the first 11 bits of the float. Not 0 for R != 0.
// Highlights of one kind in one cell, an aligned square of pixels, become one sprite. The radii of a surface mostly
// have one kind or two.
SHADER_FUNCTION uint radiusKind(float radiusPx) { return floatBitsToUint(radiusPx) >> 21; }

// log2 of the side of the cells of a kind: sides of 1, 2, 4, 8 and 16 pixels from |R| = 0, 4, 8, 16 and 32 on. A cell
// is at most half a radius wide, and the sprites of a bright surface cover 13 to 50 times its area at any radius up to
// 64.
SHADER_FUNCTION int cellLevel(uint kind) { return min(max(int(kind >> 2 & 0xffu) - 128, 0), 4); }

// The part of a highlight, in [0, 1), that goes to a sprite of the next kind, of larger |R|. It rises from 0 to 1 over
// the last quarter of a kind, or over the last half if the next kind has larger cells, so one sprite fades into the
// other when a radius crosses the limit between two kinds. 0 if both kinds have cells of one pixel: then their sprites
// are equal. Exact, hence the same on all devices.
SHADER_FUNCTION float nextKindPart(float radiusPx) {
  uint kind = radiusKind(radiusPx);
  int nextLevel = cellLevel(kind + 1u);
  if (nextLevel == 0) return 0.0f;
  float within = float(floatBitsToUint(radiusPx) & 0x1fffffu) * 4.76837158203125e-7f;  // 2^-21: 0 to 1 in the kind
  float slope = nextLevel > cellLevel(kind) ? 2.0f : 4.0f;
  return max(slope * within - (slope - 1.0f), 0.0f);
}

// A highlight of two kinds may be the first of two sprites. Element 2 pixel + parity stands for the sprite of the kind
// with that parity.
SHADER_FUNCTION uint pixelOf(uint element) { return element / 2u; }
SHADER_FUNCTION uint parityOf(uint element) { return element % 2u; }
// A highlight has at most one even and one odd kind: its own and the next. highlightKind() returns the kind of that
// parity, 0 if there is none; kindPart() the part of the highlight in that kind. R = 0: no highlight.
SHADER_FUNCTION uint highlightKind(float radiusPx, uint parity) {
  uint kind = radiusKind(radiusPx);
  if ((kind & 1u) == parity) return kind;
  return nextKindPart(radiusPx) > 0.0f ? kind + 1u : 0u;
}
SHADER_FUNCTION float kindPart(float radiusPx, uint parity) {
  float next = nextKindPart(radiusPx);
  return (radiusKind(radiusPx) & 1u) == parity ? 1.0f - next : next;
}

struct Highlight {
  float radius;  // signed; 0: the pixel has no highlight
  vec3 light;    // of the sprite
};
// The highlight of a pixel of this colour and depth nearM / z.
SHADER_FUNCTION Highlight highlightOf(BokehRule rule, vec3 colour, float depth) {
  float radius = signedRadius(rule.lens, depth);
  float part = highlightPart(luminance(colour.x, colour.y, colour.z), radius, rule.threshold, rule.minRadiusPx,
                             rule.maxRadiusPx);
  Highlight highlight;
  highlight.radius = part > 0.0f ? radius : 0.0f;
  highlight.light = colour * part;
  return highlight;
}

// Sums over the highlights of a cell, weighted by their luminance.
struct BokehMoments {
  float weight, radius, pixels;
  vec2 centre;    // first moments about the first pixel
  vec3 variance;  // second moments about the first pixel: xx, xy, yy
  vec3 light;     // the sum, not weighted
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
// Adds a part of a highlight. `from`: from the first pixel to the pixel of the highlight.
SHADER_FUNCTION BokehMoments withHighlight(BokehMoments sum, Highlight highlight, float part, vec2 from) {
  vec3 light = highlight.light * part;
  float w = luminance(light.x, light.y, light.z);
  sum.weight += w;
  sum.radius += w * highlight.radius;
  sum.pixels += 1.0f;
  sum.centre += w * from;
  sum.variance += vec3(w * from.x * from.x, w * from.x * from.y, w * from.y * from.y);
  sum.light += light;
  return sum;
}

// The three texels of a sprite: BokehSprite in shaders/bokeh/bokeh.h.
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
