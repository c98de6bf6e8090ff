// Gathers the far field from its table and blends over it, back to front: the middle layers, the focus layer, the
// blended surfaces behind the focus plane, the hidden near field, the near field, the blended surfaces in front of the
// focus plane. In GLSL the program defines TableSampler and TableElement (shaders/sat/box_sum.glsl).
#include "shaders/lens/layered/focus.glsl"
#include "shaders/lens/layered/levels.glsl"
#include "shaders/lens/layered/middle.glsl"
#include "shaders/sat/box_sum.glsl"
#ifdef __cplusplus
#define COMPOSE_FUNCTION template <class Levels, class Sums, class TableSampler>
#else
#define COMPOSE_FUNCTION
#define Sums sampler2D
#endif

// What composed() returns: LensImage in app/lens/lens_image.h.
const int kShowImage = 0, kShowNear = 1, kShowFill = 2, kShowLayers = 3, kShowWeights = 4;

struct ComposeRule {
  ThinLens lens;
  Aperture aperture;
  FocusDiscs discs;
  int steps;
  float farUnit;   // elements of weight 1 over elements of linear light 1: the ceiling of the far table
  float farScale;  // elements of linear light 1
  float nearPx;    // the largest near radius
  int anyNear, anyForemost, anyMiddle, anyHidden, anyBlended;
  int show;  // kShowImage, kShowNear, ...
  SHADER_COMPARABLE(ComposeRule)
};
// Places of the images: first those that the pass reads, then those that it writes. kComposeBack, kComposeFront:
// scatters of the blended surfaces behind and in front of the focus plane.
const int kComposeNear = 0, kComposeFar = 1, kComposeBackground = 2, kComposeRadius = 3, kComposeFillRadii = 4,
          kComposeBack = 5, kComposeBackColour = 6, kComposeBackDepth = 7, kComposeFront = 8, kComposeFrontColour = 9,
          kComposeFrontDepth = 10, kComposeForemost = 11, kComposeFirst = 12, kComposeSecond = 13, kComposeHidden = 14,
          kComposeHiddenSums = 15;
const int kComposeResult = 0;

// Sum of the far image over disc n, clamped to the image, times `weight`.
TABLE_FUNCTION SHADER_FUNCTION vec4 discSum(TableSampler table, bool transposed, int steps, ivec2 p, ivec2 size,
                                            CutDisc disc, int n, float weight) {
  p = clamp(p - leaningShift(disc, n), ivec2(0), size - 1);
  uvec4 sum = uvec4(0u);
  for (int i = 0; i < stairRectangles(steps); ++i) {
    ivec2 h = stairHalf(steps, i, n, disc.ratio);
    uvec4 box = boxSum(table, transposed, max(p - h, ivec2(0)), min(p + h + 1, size));
    sum = stairSign(steps, i) > 0 ? sum + box : sum - box;
  }
  return vec4(sum) * weight;
}

// The far field at pixel p: the sum of the far image, (colour w, w), over the disc that the pixel gathers from.
TABLE_FUNCTION SHADER_FUNCTION vec4 farSum(TableSampler table, bool transposed, int steps, ivec2 p, ivec2 size,
                                           CutDisc disc) {
  int n = discIndex(disc.radius);
  float outer = discBlend(disc.radius);
  vec4 total = vec4(0.0f);
  if (outer < 1.0f) total = discSum(table, transposed, steps, p, size, disc, n, 1.0f - outer);
  if (outer > 0.0f) total = total + discSum(table, transposed, steps, p, size, disc, n + 1, outer);
  return total;
}

// Mean weight w of the pixels of a disc. `sum`: the fourth component of farSum().
SHADER_FUNCTION float meanWeight(ComposeRule rule, CutDisc disc, float sum) {
  int n = discIndex(disc.radius);
  float area = mix(float(discArea(rule.steps, n, disc.ratio)), float(discArea(rule.steps, n + 1, disc.ratio)),
                   discBlend(disc.radius));
  return sum / (rule.farUnit * rule.farScale * area);
}

// The part of the pixels in a disc of radius `reach` around `at` that are near, and their mean near radius, from the
// pyramid of FillCell::radii.
LEVELS_FUNCTION SHADER_FUNCTION vec2 nearAround(Levels fillRadii, vec2 at, float reach) {
  vec4 near = atLevel(fillRadii, at, tentLevel(reach));
  return vec2(near.y, near.z / max(near.y, 1e-4f));
}

// Half the sides of the box with the area and the aspect of a disc of radius r.
SHADER_FUNCTION vec2 boxHalfSides(float r, float anamorphicRatio) {
  return vec2(r * anamorphicRatio, r) * 0.886226925f;
}

// Whether near discs may lose light: addRectangle() clips beyond one image size outside the image.
SHADER_FUNCTION bool losesLight(ComposeRule rule, ivec2 size) {
  vec2 widest = boxHalfSides(rule.nearPx, rule.lens.anamorphicRatio);
  return widest.x > float(size.x) || widest.y > float(size.y);
}

// The part of a disc of radius r around `at` that addRectangle() does not clip.
SHADER_FUNCTION float keptPart(ComposeRule rule, vec2 at, ivec2 size, float r) {
  vec2 reach = max(boxHalfSides(r, rule.lens.anamorphicRatio), vec2(0.5f)), whole = vec2(size);
  vec2 kept = (min(at + reach, 2.0f * whole) - max(at - reach, -whole)) / (2.0f * reach);
  return kept.x * kept.y;
}

// Inside a near body, scattered coverage above kInsideFrom is raised: to 1 from kInsideTo on. Measured: a lower start
// makes soft edges opaque (0.68: up to -1.1 dB); a higher one lets lamps shine through bodies (up to -0.2 dB).
const float kInsideFrom = 0.85f, kInsideTo = 0.95f;

// Coverage by the near field at `at`, in pixels. `scattered`: the coverage that the scatter sums there. Inside an
// opaque body whose radii vary, that sum is not 1: the point a of the aperture sees the pixel x at x + a R(x), so a
// disc would have to weigh 1 - a . grad R, not 1. On a convex body the sum is 0.9 to 1, and lamps behind the body would
// shine through. So a sum above kInsideFrom rises to 1 where all pixels of the disc are near.
LEVELS_FUNCTION SHADER_FUNCTION float nearCoverage(Levels fillRadii, ComposeRule rule, vec2 at, ivec2 size,
                                                   float scattered) {
  bool loses = losesLight(rule, size);
  if (!loses && (scattered <= kInsideFrom || scattered >= 1.0f)) return min(scattered, 1.0f);
  float r = nearAround(fillRadii, at, rule.nearPx).y;
  if (loses) scattered /= keptPart(rule, at, size, r);
  float inside = smoothstep(0.9f, 1.0f, nearAround(fillRadii, at, r).x);
  return mix(min(scattered, 1.0f), 1.0f, inside * smoothstep(kInsideFrom, kInsideTo, scattered));
}

// Rays past the near field end at the hidden near field, at the background, or at a surface that neither layer of depth
// has. Where the hidden near field covers less than this part of the rays, the background fades in. Measured: 1 costs
// up to 0.06 dB where one near handle stands before another.
const float kKnownRays = 0.5f;

// The part of the rays past the near field at `at` that ends at the hidden near field; the rest ends at the background.
// `scattered`: the coverage by the hidden near field. `past`: the part of all rays that pass the near field.
// hiddenSums: the pyramid of HiddenNear::sums, from which follows how the hidden near field and the background share
// the pixels around `at`.
LEVELS_FUNCTION SHADER_FUNCTION float hiddenShare(Levels hiddenSums, ComposeRule rule, vec2 at, float scattered,
                                                  float past) {
  vec4 sums = atLevel(hiddenSums, at, tentLevel(rule.nearPx));
  float r = sums.x > 0.0f ? sums.y / sums.x : rule.nearPx;  // of the hidden near field around `at`
  return scattered / (scattered + atLevel(hiddenSums, at, tentLevel(r)).z) * min(scattered / (kKnownRays * past), 1.0f);
}

// Colour of the near field of coverage `cover`, from the scatters of the foremost layer, of coverage `first`, and of
// the other near surfaces. Where they overlap, their coverages sum to more than 1, and the foremost layer hides the
// others.
SHADER_FUNCTION vec3 nearColour(vec4 foremost, vec4 others, float first, float cover) {
  if (foremost.w <= 0.0f) return vec3(others.x, others.y, others.z) / others.w;
  vec3 colour = vec3(foremost.x, foremost.y, foremost.z) / foremost.w;
  if (others.w <= 0.0f) return colour;
  float seen = max(cover - first, 0.0f);
  return mix(colour, vec3(others.x, others.y, others.z) / others.w, seen / cover);
}

// Premultiplied colour and alpha of a blurred layer of blended surfaces at pixel p. `scattered`: its scatter. `own`:
// its colour and alpha at p. r: its signed radius at p, at most 0. The scatter lacks discs from beyond the border of
// the image, so it is divided by the part of a box around p that is inside the image.
SHADER_FUNCTION vec4 blendedLayer(ThinLens lens, ivec2 p, ivec2 size, vec4 scattered, vec4 own, float r) {
  vec4 sum = scattered;
  vec2 reach = boxHalfSides(-r, lens.anamorphicRatio);
  vec2 inside = min(vec2(p) + 0.5f + reach, vec2(size)) - max(vec2(p) + 0.5f - reach, vec2(0.0f));
  if (r < -0.5f) sum = sum * (4.0f * reach.x * reach.y / max(inside.x * inside.y, 1e-3f));
  sum = sum + own * (1.0f - nearPart(r));
  return sum.w > 1.0f ? sum * (1.0f / sum.w) : sum;
}

// The blurred layer of blended surfaces behind the focus plane, to draw over the focus layer of coverage `focus`.
// `own`: the layer at the pixel alone, not blurred. A surface in focus hides blended surfaces behind it. Blended
// surfaces in front of that surface are almost in focus: `own` stands for them.
SHADER_FUNCTION vec4 backBehindFocus(vec4 layer, vec4 own, float focus) { return mix(layer, own, min(focus, 1.0f)); }

// The layers over the far field at a pixel: premultiplied colour and coverage.
struct FrontLayers {
  vec4 foremost, near;  // the two parts of the near field
  vec4 hidden;          // the hidden near field
  vec4 back, front;     // the blended surfaces behind and in front of the focus plane
  vec4 first, second;   // the middle layers
  vec4 ownBack;         // `back` at the pixel alone, not blurred
};

// A premultiplied layer over the colour `behind`. Returns the part of the light behind that passes in the fourth
// component.
SHADER_FUNCTION vec4 over(vec4 layer, vec3 behind) {
  vec3 shown = vec3(layer.x, layer.y, layer.z) + (1.0f - layer.w) * behind;
  return vec4(shown, 1.0f - layer.w);
}

// Colour of the middle layers over the far field, behind the focus layer of coverage `focus`. `total`: farSum() over
// `disc`, which is the disc of this radius. `other`: the colour if there is neither a far field nor a middle layer.
SHADER_FUNCTION vec3 behindFocus(ComposeRule rule, vec4 total, float radius, CutDisc disc, float focus,
                                 FrontLayers layers, vec3 other) {
  vec3 far = total.w > 0.0f ? vec3(total.x, total.y, total.z) / total.w * rule.farUnit : other;
  if (layers.first.w + layers.second.w <= 0.0f) return far;
  float inDisc = total.w > 0.0f ? meanWeight(rule, disc, total.w) / farWeightAt(rule.lens, radius) : 0.0f;
  vec3 parts = shownParts(focus, layers.first.w, layers.second.w, inDisc);
  vec4 sum = vec4(far, 1.0f) * (parts.z * min(inDisc / kKnownPart, 1.0f));
  if (layers.first.w > 0.0f) sum = sum + layers.first * (parts.x / layers.first.w);
  if (layers.second.w > 0.0f) sum = sum + layers.second * (parts.y / layers.second.w);
  sum = sum + vec4(other, 1.0f) * max(kKnownPart - sum.w, 0.0f);
  return vec3(sum.x, sum.y, sum.z) / sum.w;
}

// Colour of pixel p. Alpha: the part of light that passes the blended surfaces in front of the focus plane, or the near
// field if there are no blended surfaces. `fill`, r: colour and radius of the background. `focus`: the focus layer at
// p.
COMPOSE_FUNCTION SHADER_FUNCTION vec4 composed(Levels fillRadii, Sums hiddenSums, TableSampler table, bool transposed,
                                               ComposeRule rule, ivec2 p, ivec2 size, vec3 fill, float r,
                                               FocusLayer focus, FrontLayers layers) {
  vec3 shown = focus.sum.w > 0.0f ? vec3(focus.sum.x, focus.sum.y, focus.sum.z) / focus.sum.w : fill;
  float part = farShare(focus), weight = 0.0f;
  if (part > 0.0f) {
    float radius = farRadius(focus, r);
    CutDisc disc = cutDisc(rule.aperture, vec2(p) + 0.5f, radius);
    vec4 total = farSum(table, transposed, rule.steps, p, size, disc);
    if (rule.show == kShowWeights) weight = meanWeight(rule, disc, total.w);
    shown = mix(shown, behindFocus(rule, total, radius, disc, focus.sum.w, layers, shown), part);
  }
  if (rule.anyBlended != 0) {
    vec4 both = over(backBehindFocus(layers.back, layers.ownBack, focus.sum.w), shown);
    shown = vec3(both.x, both.y, both.z);
  }
  vec2 at = vec2(p) + 0.5f;
  float scattered = layers.foremost.w + layers.near.w, passedNear = 1.0f;
  float cover = scattered > 0.0f ? nearCoverage(fillRadii, rule, at, size, scattered) : 0.0f;
  if (layers.hidden.w > 0.0f && cover < 1.0f) {
    float share = hiddenShare(hiddenSums, rule, at, layers.hidden.w, 1.0f - cover);
    shown = mix(shown, vec3(layers.hidden.x, layers.hidden.y, layers.hidden.z) / layers.hidden.w, share);
    passedNear = 1.0f - share;
  }
  if (cover > 0.0f) {
    float first = layers.foremost.w > 0.0f ? nearCoverage(fillRadii, rule, at, size, layers.foremost.w) : 0.0f;
    shown = mix(shown, nearColour(layers.foremost, layers.near, first, cover), cover);
    passedNear *= 1.0f - cover;
  }
  float passed = passedNear;
  if (rule.anyBlended != 0) {
    vec4 both = over(layers.front, shown);
    shown = vec3(both.x, both.y, both.z);
    passed = both.w;
  }
  if (rule.show == kShowNear) shown = vec3(1.0f - passedNear);
  if (rule.show == kShowFill) shown = fill;
  if (rule.show == kShowLayers) shown = vec3(part * passedNear, (1.0f - part) * passedNear, 1.0f - passedNear);
  if (rule.show == kShowWeights) shown = vec3(weight);
  return vec4(shown, passed);
}

#undef COMPOSE_FUNCTION
#undef Sums
