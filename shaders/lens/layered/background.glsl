// The background: the image without its near field. Near pixels take colour and radius from the second layer of depth.
// Where the second layer is empty, as on the ground, they keep their own. Without a second layer, near pixels take the
// mean of the surfaces behind them, from the finest level of the pyramid of shaders/lens/layered/fill.glsl that has
// any. Near pixels of the second layer, the hidden near field, are filled alike.
#include "shaders/lens/layered/far.glsl"
#include "shaders/lens/layered/middle.glsl"
#ifdef __cplusplus
#define FILL_FUNCTION template <class Levels, class Radii>
#define BACKGROUND_FUNCTION template <class Levels, class Radii, class Far>
#else
#define FILL_FUNCTION
#define BACKGROUND_FUNCTION
#define Radii sampler2D
#define Far sampler2D
#endif

// A cell of mean radius R fills the hole behind a surface of radius r < 0 if R > kFillLimit r, and in full from
// R = (kFillLimit - kFillRamp) r on. The ramp is at least kMinFillRampPx wide. Measured: a lower limit fills holes
// with more of the near surface itself (0.48: up to -0.9 dB). The ramp keeps the fill continuous where radii vary;
// without it, +0.05 dB.
const float kFillLimit = 0.6f, kFillRamp = 0.3f, kMinFillRampPx = 0.25f;
// A level fills a hole in full if the part 1 / kFillGain of its cells lies behind the hole. Measured: less gain takes
// coarser levels, which blur the fill (3.2: up to -0.09 dB); more gain copies single cells.
const float kFillGain = 4.0f;

// The part of a surface of the second layer, of radius r, that leaves a hole in the background. A surface with a small
// disc leaves none: its sharp outline is hardly visible.
SHADER_FUNCTION float holePart(float r) { return smoothstep(1.5f, 5.0f, -r); }
// The first level that fills the hole behind a surface of the second layer, of radius r < 0. The near field blurs the
// filled colour, so coarse levels suffice. Fine levels would copy single bright pixels.
SHADER_FUNCTION int firstHoleLevel(float r) { return farLevel(-0.5f * r).fine; }

struct Filled {
  vec4 sum;  // colour and |R|, premultiplied by `part`
  float part;
};

// Adds to `filled` the four cells of a level around pixel p, bilinearly, as far as they lie behind a surface of radius
// r < 0. Here and below, `behind` and `radii` are the pyramids of FillCell::behind and FillCell::radii.
FILL_FUNCTION SHADER_FUNCTION Filled withLevel(Levels behind, Radii radii, Filled filled, ivec2 p, float r, int level) {
  vec2 at = (vec2(p) + 0.5f) / float(2 << level) - 0.5f;
  ivec2 low = ivec2(floor(at)), last = sizeOf(behind, level) - 1;
  vec2 f = at - vec2(low);
  vec4 sum = vec4(0.0f);
  float sumWeight = 0.0f, covered = 0.0f;
  for (int i = 0; i < 4; ++i) {
    ivec2 corner = ivec2(i & 1, i >> 1);
    ivec2 cell = clamp(low + corner, ivec2(0), last);
    vec4 light = cellAt(behind, cell, level), sums = cellAt(radii, cell, level);
    float weight = light.w;
    if (weight <= 0.0f) continue;
    float radius = sums.x / weight;
    float share = (corner.x == 1 ? f.x : 1.0f - f.x) * (corner.y == 1 ? f.y : 1.0f - f.y);
    share *= clamp((radius - kFillLimit * r) / max(-kFillRamp * r, kMinFillRampPx), 0.0f, 1.0f);
    sum = sum + vec4(light.x, light.y, light.z, abs(radius) * weight) * share;
    sumWeight += weight * share;
    covered += sums.w * share;
  }
  if (sumWeight <= 0.0f) return filled;
  float taken = (1.0f - filled.part) * min(kFillGain * covered, 1.0f);
  filled.sum = filled.sum + sum * (taken / sumWeight);
  filled.part += taken;
  return filled;
}

// The fill of the hole behind a surface of radius r < 0 at pixel p, from the levels `first` to `levels` - 1.
FILL_FUNCTION SHADER_FUNCTION Filled filledBehind(Levels behind, Radii radii, ivec2 p, float r, int first, int levels) {
  Filled filled;
  filled.sum = vec4(0.0f);
  filled.part = 0.0f;
  for (int level = first; level < levels && filled.part < 1.0f; ++level)
    filled = withLevel(behind, radii, filled, p, r, level);
  return filled;
}

struct Background {
  vec3 colour;
  float radius;  // of the disc that the pixel gathers from
  // A pixel of the image of the far table: (colour w, w) in fixed point. Surfaces of the focus layer have no weight;
  // the second layer behind them has.
  uvec4 far;
  vec4 blended;  // blended surfaces behind the focus plane, less sharedOpacity(): premultiplied light, opacity
  MiddlePixel middle[kMiddleLayers];
};

struct BackgroundRule {
  ThinLens lens;
  MiddleRule middle;
  float ceiling, farScale;
  int fillLevels;
  // anyHidden: near pixels of the second layer are the hidden near field.
  int secondLayer, anyHidden, anyMiddle, anyBlended;
  SHADER_COMPARABLE(BackgroundRule)
};
// Places of the images: first those that the pass reads, then those that it writes. Each middle layer has a place, from
// kBackgroundMiddleLight or kBackgroundMiddleDepth on.
const int kBackgroundSceneColour = 0, kBackgroundSceneDepth = 1, kBackgroundFillBehind = 2, kBackgroundFillRadii = 3,
          kBackgroundBehindColour = 4, kBackgroundBehindDepth = 5, kBackgroundBackColour = 6, kBackgroundBackDepth = 7,
          kBackgroundFarRadii = 8;
const int kBackgroundColour = 0, kBackgroundRadius = 1, kBackgroundFar = 2, kBackgroundBackLeft = 3,
          kBackgroundMiddleLight = 4, kBackgroundMiddleDepth = kBackgroundMiddleLight + kMiddleLayers;

// The part of the light behind a surface of radius r that joins a layer. `hidden`: hiddenPart(r). `there`: the part of
// the pixel that the second layer of depth covers.
SHADER_FUNCTION float sharedPart(MiddleRule rule, int layer, float r, float hidden, float there) {
  return max(hidden, there * behindPart(rule, layer, r));
}

// The part of the opacity of a blended surface that blurs with the background behind the surface, of radius r. Opaque
// surfaces in front of both then hide as much of the blended surface as of the background. A blended surface much
// nearer to the focus plane keeps its edges.
SHADER_FUNCTION float sharedOpacity(float blendedRadius, float r) {
  return smoothstep(0.1f, 0.4f, blendedRadius / max(r, 1e-3f));
}

// The surfaces at a pixel.
struct PixelSurfaces {
  vec3 light;  // of the nearest surface
  float radius;
  vec4 second;  // light of the second layer of depth; alpha: its part of the pixel
  float secondRadius;
  vec4 blended;  // the blended surfaces behind the focus plane: premultiplied light, opacity
  float blendedRadius;
};

// The background at pixel p. `fillBehind`, `fillRadii`: see withLevel(). `farRadii`: see gatheredRadius().
BACKGROUND_FUNCTION SHADER_FUNCTION Background backgroundOf(Levels fillBehind, Radii fillRadii, Far farRadii,
                                                            BackgroundRule rule, ivec2 p, PixelSurfaces surfaces) {
  vec3 c = surfaces.light;
  vec4 second = surfaces.second, blended = surfaces.blended;
  float r = surfaces.radius;
  float shared_ = blended.w * sharedOpacity(surfaces.blendedRadius, r), passed = 1.0f - shared_;
  float hidden = hiddenPart(r), weight = farWeight(rule.lens, rule.middle, r);
  vec4 behind = vec4(c, abs(r));
  float there = 0.0f, hole = 1.0f, holeRadius = r;
  if (rule.secondLayer != 0) {
    there = second.w;
    hole = rule.anyHidden != 0 ? there * holePart(surfaces.secondRadius) : 0.0f;
    holeRadius = surfaces.secondRadius;
    behind = mix(behind, vec4(second.x, second.y, second.z, abs(surfaces.secondRadius)), there);
  }
  float filled_ = 1.0f;
  if (hidden * hole > 0.0f) {
    Filled filled =
        filledBehind(fillBehind, fillRadii, p, holeRadius, rule.secondLayer != 0 ? firstHoleLevel(holeRadius) : 0,
                     rule.fillLevels);
    vec4 mended = filled.sum + behind * (1.0f - filled.part);
    mended.w = min(mended.w, -kFillLimit * holeRadius);
    behind = mix(behind, mended, hole);
    filled_ = mix(1.0f, filled.part, hole);
    there *= filled_;
  }
  float behindWeight =
      sharedPart(rule.middle, kMiddleLayers, r, hidden * filled_, there) * farWeight(rule.lens, rule.middle, behind.w);
  vec3 behindColour = vec3(behind.x, behind.y, behind.z);
  vec3 light = (c * weight + behindColour * behindWeight) * passed;
  float part = weight + behindWeight, most = rule.ceiling * part;
  vec4 clipped = vec4(min(light, vec3(most)), most) * rule.farScale;
  uint x = uint(p.x), y = uint(p.y);
  Background result;
  for (int i = 0; i < kMiddleLayers; ++i)
    result.middle[i] = middlePixel(rule.middle, i, c * passed, r, behindColour * passed, behind.w,
                                   sharedPart(rule.middle, i, r, hidden * filled_, there));
  float own = max(r, 0.0f);
  result.radius = mix(rule.anyMiddle != 0 ? own : gatheredRadius(farRadii, vec2(p) + 0.5f, own), behind.w, hidden);
  result.colour = mix(c, behindColour, hidden) * passed;
  result.far = uvec4(uint(clipped.x + dither(x, y, 0u)), uint(clipped.y + dither(x, y, 1u)),
                     uint(clipped.z + dither(x, y, 2u)), uint(clipped.w + dither(x, y, 3u)));
  result.blended = vec4(blended.x, blended.y, blended.z, (blended.w - shared_) / max(passed, 1e-3f));
  return result;
}

#undef FILL_FUNCTION
#undef BACKGROUND_FUNCTION
#undef Radii
#undef Far
