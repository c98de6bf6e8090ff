// A bokeh sprite in the image. GLSL programs define, before they include this file, the functions
//   float depthAt(ivec2 pixel)         nearM / z
//   vec4 depthsAt(ivec2 pixel)         nearM / z of the pixel and of its right, upper and upper right neighbours;
//   clamps to the image
//   float apertureSumAt(ivec2 corner)  an entry of ApertureImage::table(); called if the aperture has an image
//   vec2 blendedAt(ivec2 pixel)        opacity and nearM / z of the blended surfaces behind the focus plane; clamps to
//   the image
// C++ and CUDA pass a scene with these members.
#include "shaders/bokeh/sprite_rule.glsl"
#ifdef __cplusplus
#define SCENE_FUNCTION template <class Scene>
#define SCENE const Scene& scene,
#define PASS scene,
#define DEPTH scene.depthAt
#define DEPTHS scene.depthsAt
#define BLENDED scene.blendedAt
#define APERTURE_SUM scene.apertureSumAt
#else
#define SCENE_FUNCTION
#define SCENE
#define PASS
#define DEPTH depthAt
#define DEPTHS depthsAt
#define BLENDED blendedAt
#define APERTURE_SUM apertureSumAt
#endif

// The part of the aperture's light left of and below the point `at` of [-1, 1]^2, bilinear between the entries of the
// table.
SCENE_FUNCTION SHADER_FUNCTION float lightBelow(SCENE vec2 at) {
  vec2 cells = (clamp(at, -1.0f, 1.0f) + 1.0f) * (0.5f * float(kApertureCells));
  ivec2 low = min(ivec2(cells), ivec2(kApertureCells - 1));
  vec2 f = cells - vec2(low);
  return mix(mix(APERTURE_SUM(low), APERTURE_SUM(low + ivec2(1, 0)), f.x),
             mix(APERTURE_SUM(low + ivec2(0, 1)), APERTURE_SUM(low + ivec2(1, 1)), f.x), f.y);
}

// The density of light of an aperture that is an image, relative to a uniform unit square: the mean over a rectangle
// around the point of the aperture whose light lands at `fromCentre`. The rectangle is as large as a pixel and the
// lights of the sprite, at least a cell of the table. `density`: the density of a uniform aperture there.
SCENE_FUNCTION SHADER_FUNCTION float imageCoverage(SCENE Aperture aperture, vec2 fromCentre, float radius,
                                                   vec3 variance, float density) {
  vec2 stretch = vec2(aperture.anamorphicRatio, 1.0f), at = fromCentre / (stretch * radius);
  vec2 side = sqrt(vec2(variance.x, variance.z) * 12.0f + 1.0f) / (stretch * abs(radius)) * sqrt(min(density, 4.0f));
  vec2 halfSide = 0.5f * max(side, vec2(2.0f / float(kApertureCells)));
  float c = cos(aperture.turn), s = sin(aperture.turn);
  at = vec2(c * at.x + s * at.y, c * at.y - s * at.x);
  vec2 low = at - halfSide, high = at + halfSide;
  float light = lightBelow(PASS high) - lightBelow(PASS vec2(low.x, high.y)) - lightBelow(PASS vec2(high.x, low.y)) +
                lightBelow(PASS low);
  return max(light, 0.0f) / (4.0f * halfSide.x * halfSide.y);
}

// The coverage of pixel centre p by a sprite: the lesser of the coverages by both stops. It is divided by the part of
// the disc that the second stop leaves, so a sprite keeps its light.
SCENE_FUNCTION SHADER_FUNCTION float spriteCoverage(SCENE SpriteRule rule, PreparedSprite sprite, vec2 p) {
  Aperture aperture = rule.aperture;
  vec2 from = p - vec2(sprite.place.x, sprite.place.y), away = from / vec2(aperture.anamorphicRatio, 1.0f);
  float squared = dot(away, away), radius = sprite.place.z * aperture.scale, density = 1.0f;
  if (squared >= sprite.place.w * sprite.place.w) return 0.0f;
  vec3 variance = vec3(sprite.shape.x, sprite.shape.y, sprite.shape.z);
  if (aperture.spherical != 0.0f) {
    vec2 rays = sphericalRays(aperture, radius);
    float far = sqrt(squared) / abs(radius);
    density = sphericalDensity(rays, far, sphericalSoft(radius, variance));
    from *= sqrt(lightWithin(rays, far)) / max(far, 1e-3f);  // where the light passes the aperture
  }
  float part = density, uncut = 1.0f;
  if (aperture.catEye > 0.0f) {
    vec2 apart = secondStop(aperture, p);
    uncut = uncutCoverage(aperture, from, radius, variance, apart);
    part /= max(uncutPart(length(apart)), 0.05f);
  }
  if (aperture.image != 0) return part * uncut * imageCoverage(PASS aperture, from, radius, variance, density);
  bool solid = sprite.shape.w > 0.0f && squared <= sprite.shape.w * sprite.shape.w;
  bool even = aperture.spherical != 0.0f && aperture.blades < 3;  // the density has the soft edge already
  return part * (solid || even ? uncut : min(uncut, apertureCoverage(aperture, from, radius, variance)));
}

// Where the ray from a sprite at s to pixel p crosses the depth of radius r, in pixels of the image.
SHADER_FUNCTION vec2 rayAt(vec2 p, vec2 s, float spriteRadius, float r) {
  return s + (p - s) * (1.0f - r / spriteRadius);
}

// The point of the sprite's disc that is nearest to p. Every ray passes within the aperture.
SHADER_FUNCTION vec2 withinDisc(ThinLens lens, vec2 p, vec2 s, float spriteRadius) {
  vec2 from = p - s;
  float beyond = length(vec2(from.x / lens.anamorphicRatio, from.y)) / abs(spriteRadius);
  return beyond > 1.0f ? s + from / beyond : p;
}

// The part of a sprite at s that is visible at pixel p, if the near field is gathered. The function tests one point of
// the ray: at the depth of radius surface + 1, behind the surface at p, whose radius is `surface`. The ray is hidden
// where the scene is nearer than the point, softly over one pixel of radius.
SCENE_FUNCTION SHADER_FUNCTION float visiblePart(SCENE ThinLens lens, ivec2 size, vec2 p, float surface, vec2 s,
                                                 float spriteRadius) {
  float ray = surface + 1.0f;
  if (ray >= spriteRadius) return 1.0f;
  ivec2 passes = ivec2(floor(rayAt(p, s, spriteRadius, ray)));
  float there = signedRadius(lens, DEPTH(clamp(passes, ivec2(0), size - 1)));
  return 1.0f - clamp(ray - there, 0.0f, 1.0f);
}

// The part of a ray that surfaces hide at the depth of radius `ray`, bilinear between pixels, so that a moving ray
// darkens smoothly. Surfaces of radius `first` or more do not hide the ray. Every surface is kThickness of its distance
// thick, so a slope has no gaps between two pixels. A distance z has the radius infinity (1 - focus / z), so the
// thickness in radii is kThickness |infinity - there|. Measured: a quarter more thickness changes the PSNR by 0.01 dB;
// a softness of 1.6 px costs up to 0.05 dB, of 2.5 px up to 0.14 dB.
const float kThickness = 0.075f, kSoft = 2.0f;
SCENE_FUNCTION SHADER_FUNCTION float hidingPart(SCENE ThinLens lens, vec2 p, vec2 s, float spriteRadius, float first,
                                                float ray) {
  vec2 at = rayAt(p, s, spriteRadius, ray) - 0.5f;
  ivec2 low = ivec2(floor(at));
  vec2 f = at - vec2(low);
  vec4 depths = DEPTHS(low);
  float hides = 0.0f, infinity = unlimitedRadius(lens, 0.0f);
  for (int k = 0; k < 4; ++k) {
    float there = unlimitedRadius(lens, k < 2 ? (k == 0 ? depths.x : depths.y) : (k == 2 ? depths.z : depths.w));
    float share = ((k & 1) == 1 ? f.x : 1.0f - f.x) * (k >= 2 ? f.y : 1.0f - f.y);
    float beside = max(there - ray, ray - there - kThickness * abs(infinity - there));
    if (there < first) hides += share * clamp(kSoft - beside, 0.0f, 1.0f);
  }
  return hides;
}

// The part of a light at s that reaches p past all blurred surfaces. The function looks for surfaces at kPlaces depths
// between the light and `nearest`, the radius of the nearest surface of the scene. It tests each surface found where
// the ray crosses the depth of that surface. The parts that two surfaces beside each other hide are added: one surface
// continues behind the edge of the other. Surfaces less than ownSurfaces() nearer than the sprite do not hide it. Cost:
// at most 3 kPlaces reads of four depths.
SCENE_FUNCTION SHADER_FUNCTION float passingPart(SCENE ThinLens lens, vec2 p, vec2 s, float spriteRadius, float nearest,
                                                 float margin) {
  const int kPlaces = 10;
  const float kApart = 2.0f;
  float first = spriteRadius - ownSurfaces(spriteRadius, margin), hidden = 0.0f;
  p = withinDisc(lens, p, s, spriteRadius);
  for (int i = 0; i < kPlaces && hidden < 1.0f; ++i) {
    float ray = mix(first, nearest, (float(i) + 0.5f) / float(kPlaces));
    vec4 depths = DEPTHS(ivec2(floor(rayAt(p, s, spriteRadius, ray) - 0.5f)));
    float front = unlimitedRadius(lens, max(max(depths.x, depths.y), max(depths.z, depths.w)));
    if (front >= first) continue;
    float found = hidingPart(PASS lens, p, s, spriteRadius, first, front);
    float back = unlimitedRadius(lens, min(min(depths.x, depths.y), min(depths.z, depths.w)));
    if (back - front > kApart && back < first) found += hidingPart(PASS lens, p, s, spriteRadius, first, back);
    hidden = max(hidden, found);
  }
  return 1.0f - min(hidden, 1.0f);
}

// The coverage of the place `at` by surfaces of radii below `first`, bilinear between pixels.
SCENE_FUNCTION SHADER_FUNCTION float nearerPart(SCENE ThinLens lens, vec2 at, float first) {
  ivec2 low = ivec2(floor(at - 0.5f));
  vec2 f = at - 0.5f - vec2(low);
  vec4 depths = DEPTHS(low);
  float below = mix(clamp(first - unlimitedRadius(lens, depths.x), 0.0f, 1.0f),
                    clamp(first - unlimitedRadius(lens, depths.y), 0.0f, 1.0f), f.x);
  float above = mix(clamp(first - unlimitedRadius(lens, depths.z), 0.0f, 1.0f),
                    clamp(first - unlimitedRadius(lens, depths.w), 0.0f, 1.0f), f.x);
  return mix(below, above, f.y);
}

// The part of lights of radius `first` or more that shows at p inside nearer surfaces. It is 0 if nearer surfaces fill
// the disc of the surface at p, so that all rays to the aperture meet them. It is 1 once kOpenPart of the sample points
// of the disc is free. A depth image lacks the hidden parts of a body, such as the wall behind a handle: without this
// factor, rays pass there, and lamps shine through bodies. Measured with two layers: without the factor up to -1.4 dB;
// a kOpenPart of 1 also hides lamps beside bodies, up to -7.5 dB.
SCENE_FUNCTION SHADER_FUNCTION float showingPart(SCENE ThinLens lens, vec2 p, float first) {
  const int kRing = 8;
  const float kOpenPart = 0.15f, kOpenPoints = kOpenPart * float(2 * kRing);
  float hidden = nearerPart(PASS lens, p, first);
  if (hidden <= 0.0f) return 1.0f;
  float r = abs(unlimitedRadius(lens, DEPTHS(ivec2(floor(p))).x)), open = 0.0f;
  for (int i = 0; i < 2 * kRing && open < kOpenPoints; ++i) {
    bool outer = i < kRing;
    float angle = 2.0f * kPi / float(kRing) * (float(i) + (outer ? 0.0f : 0.5f));
    vec2 from = vec2(cos(angle) * lens.anamorphicRatio, sin(angle)) * (outer ? r : 0.5f * r);
    open += 1.0f - nearerPart(PASS lens, p + from, first);
  }
  return 1.0f - hidden * max(1.0f - open / kOpenPoints, 0.0f);
}

// The part of a sprite at s that reaches p: the mean over two lights, or over kLights lights for a wide cell, with the
// standard deviation of the sprite along x and y. With one light at s, each cell of a lamp would end in an edge of its
// own. If the first four lights of a wide cell agree within kSame, they stand for all.
SCENE_FUNCTION SHADER_FUNCTION float reachingPart(SCENE ThinLens lens, vec2 p, vec2 s, vec3 variance,
                                                  float spriteRadius, float nearest, float margin) {
  const int kLights = 16, kEach = 5;
  const float kApart = 0.2169305f;  // between two lights, in standard deviations: sqrt(12 / (kLights^2 - 1))
  const float kSame = 0.01f;
  float showing = showingPart(PASS lens, p, spriteRadius - ownSurfaces(spriteRadius, margin));
  if (showing <= 0.0f) return 0.0f;
  vec2 spread = sqrt(vec2(variance.x, variance.z));
  float wide = spread.x + spread.y;
  if (wide <= 0.0f) return showing * passingPart(PASS lens, p, s, spriteRadius, nearest, margin);
  if (wide <= 3.0f)
    return showing * 0.5f *
           (passingPart(PASS lens, p, s - spread, spriteRadius, nearest, margin) +
            passingPart(PASS lens, p, s + spread, spriteRadius, nearest, margin));
  float sum = 0.0f, least = 1.0f, most = 0.0f;
  int lights = 0;
  for (int i = 0; i < kLights; ++i) {
    if (i == 4 && most - least < kSame) break;
    int light = i < 4 ? kEach * i : i - 4 + (i - 4) / 4 + 1;  // 0, 5, 10, 15, then those between
    float part = passingPart(PASS lens, p, s + spread * (kApart * (float(light) - 0.5f * float(kLights - 1))),
                             spriteRadius, nearest, margin);
    least = min(least, part);
    most = max(most, part);
    sum += part;
    ++lights;
  }
  return showing * sum / float(lights);
}

// The part of a sprite at s that passes the blended surfaces behind the focus plane on the way to p. The function takes
// one depth for the blended surfaces: the mean at s and p, weighted by opacity. Their opacity is bilinear where the ray
// crosses that depth, over the pixels without an opaque surface in front of that depth. Blended surfaces do not dim
// sprites in front of them.
SCENE_FUNCTION SHADER_FUNCTION float passingBlended(SCENE ThinLens lens, vec2 p, vec2 s, float spriteRadius) {
  vec2 here = BLENDED(ivec2(floor(p))), there = BLENDED(ivec2(floor(s)));
  float most = max(here.x, there.x);
  if (most <= 0.0f) return 1.0f;
  float r = signedRadius(lens, (here.x * here.y + there.x * there.y) / (here.x + there.x));
  float dimmed = clamp(spriteRadius - r, 0.0f, 1.0f);
  if (dimmed <= 0.0f) return 1.0f;
  vec2 at = rayAt(withinDisc(lens, p, s, spriteRadius), s, spriteRadius, r) - 0.5f;
  ivec2 low = ivec2(floor(at));
  vec2 f = at - vec2(low);
  vec4 depths = DEPTHS(low);
  float opacity = 0.0f, shown = 0.0f;
  for (int k = 0; k < 4; ++k) {
    float surface = signedRadius(lens, k < 2 ? (k == 0 ? depths.x : depths.y) : (k == 2 ? depths.z : depths.w));
    float share =
        ((k & 1) == 1 ? f.x : 1.0f - f.x) * (k >= 2 ? f.y : 1.0f - f.y) * clamp(surface - r + 1.0f, 0.0f, 1.0f);
    opacity += share * BLENDED(low + ivec2(k & 1, k >> 1)).x;
    shown += share;
  }
  return 1.0f - dimmed * (shown > 1e-3f ? opacity / shown : most);
}

// The part of a sprite's light that reaches pixel centre p. `surface`: the radius of the scene at p; read if the near
// field is gathered.
SCENE_FUNCTION SHADER_FUNCTION float spritePassing(SCENE SpriteRule rule, ivec2 size, PreparedSprite sprite, vec2 p,
                                                   float surface) {
  vec2 s = vec2(sprite.place.x, sprite.place.y);
  float part = 1.0f;
  if (rule.scattered == 0)
    part = visiblePart(PASS rule.lens, size, p, surface, s, sprite.place.z);
  else if (sprite.light.w != 0.0f)
    part = reachingPart(PASS rule.lens, p, s, vec3(sprite.shape.x, sprite.shape.y, sprite.shape.z), sprite.place.z,
                        rule.nearest, rule.margin);
  if (rule.blended != 0 && part > 0.0f && sprite.place.z >= 0.0f)
    part *= passingBlended(PASS rule.lens, p, s, sprite.place.z);
  return part;
}

#undef SCENE_FUNCTION
#undef SCENE
#undef PASS
#undef DEPTH
#undef DEPTHS
#undef BLENDED
#undef APERTURE_SUM
