// The aperture, and the blur disc that the aperture draws: a disc with a radius of |R| pixels, or a regular polygon
// inscribed in the disc. It is anamorphicRatio times as wide as high, and upside down in front of the focus plane (R <
// 0). The sides of the polygon may be arcs: `curvature` is 0 for straight sides and less than 1; 1 would be the disc.
#ifndef SHADERS_LENS_APERTURE_APERTURE_GLSL
#define SHADERS_LENS_APERTURE_APERTURE_GLSL
#include "shaders/common/shared.glsl"

#ifndef __cplusplus
struct Aperture {  // see shaders/lens/aperture/aperture.h
  vec2 axisPx;
  float catEye, anamorphicRatio;
  int blades;
  float turn, curvature, spherical, scale;
  int image;
};
#endif

const float kPi = 3.14159265f;
const int kApertureCells = 128;  // along a side of ApertureImage::table()

// In the unit disc, a curved side is an arc of radius 1 / curvature. arcCentre(): from the centre of the disc to the
// centre of the arc, along the normal of the side. arcAngle(): the angle of the arc. h = sin(pi/n) is half of the
// chord.
SHADER_FUNCTION float arcCentre(Aperture aperture) {
  float h = sin(kPi / float(aperture.blades)), r = 1.0f / aperture.curvature;
  return cos(kPi / float(aperture.blades)) - sqrt(r * r - h * h);
}
SHADER_FUNCTION float arcAngle(Aperture aperture) {
  return 2.0f * asin(aperture.curvature * sin(kPi / float(aperture.blades)));
}

// Radius of the largest circle within the shape, and area of the shape, in the unit disc: cos(pi/n) and n/2 sin(2 pi/n)
// for straight sides. An arc of angle a and curvature c adds a segment of its circle, (a - sin a) / (2 c^2).
SHADER_FUNCTION float inscribedRadius(Aperture aperture) {
  if (aperture.blades < 3) return 1.0f;
  return aperture.curvature > 0.0f ? arcCentre(aperture) + 1.0f / aperture.curvature
                                   : cos(kPi / float(aperture.blades));
}
SHADER_FUNCTION float unitArea(Aperture aperture) {
  if (aperture.image != 0) return 1.0f;
  if (aperture.blades < 3) return kPi;
  float n = float(aperture.blades), straight = 0.5f * n * sin(2.0f * kPi / n);
  if (aperture.curvature <= 0.0f) return straight;
  float angle = arcAngle(aperture);
  return straight + 0.5f * n * (angle - sin(angle)) / (aperture.curvature * aperture.curvature);
}

// Squared width of the soft edge of a sprite in square pixels. v: the variance of its light along the normal of the
// outline. The edge is the integral of 6 t (1 - t), whose variance is width^2 / 20. It equals the variance of a pixel,
// 1/12, plus v.
SHADER_FUNCTION float edgeSquared(float v) { return (5.0f / 3.0f) * (1.0f + 12.0f * v); }

// The variance along `normal`. `variance`, here and below: xx, xy and yy of the light of a sprite, in square pixels.
SHADER_FUNCTION float varianceAlong(vec2 normal, vec3 variance) {
  return variance.x * normal.x * normal.x + 2.0f * variance.y * normal.x * normal.y + variance.z * normal.y * normal.y;
}

// Spherical aberration: light through the point a of the unit disc lands at a (q + w |a|^2) radii from the centre, with
// w = spherical / R. q = 1 - 2 w / 3 minimises the second moment of the image of a point in focus. Returns (q, w),
// called `rays` below.
SHADER_FUNCTION vec2 sphericalRays(Aperture aperture, float radius) {
  float w = aperture.spherical / radius;
  return vec2(1.0f - w * (2.0f / 3.0f), w);
}

// The distance of the farthest light in radii: from the edge of the aperture, or on the caustic.
SHADER_FUNCTION float sphericalReach(vec2 rays) {
  float edge = abs(rays.x + rays.y), turns = -rays.x / (3.0f * rays.y);
  return turns > 0.0f && turns < 1.0f ? max(edge, abs(rays.x) * sqrt(turns) * (2.0f / 3.0f)) : edge;
}

// The part of a uniform disc's light within the distance a, in radii.
SHADER_FUNCTION float discWithin(float a) {
  float within = clamp(a, 0.0f, 1.0f);
  return within * within;
}
// The part of the light that lands within the distance `far`, in radii: the part of the aperture where |q a + w a^3| <=
// far. The roots of the cubic come from hyperbolic functions if there is one, from Viete's sines if there are three.
SHADER_FUNCTION float lightWithin(vec2 rays, float far) {
  float q = abs(rays.x) < 1e-3f ? 1e-3f : rays.x, bend = rays.y / q, straight = far / abs(q);
  if (abs(bend) < 1e-4f) return discWithin(straight);
  float k = 2.0f / sqrt(3.0f * abs(bend)), x = 3.0f * straight / k;
  if (bend > 0.0f || x >= 1.0f) {
    float t = pow(x + sqrt(max(x * x + sign(bend), 0.0f)), 1.0f / 3.0f);
    return discWithin(0.5f * k * (t - sign(bend) / t));
  }
  float third = asin(x) / 3.0f;
  return discWithin(k * sin(third)) + discWithin(k * sin(kPi / 3.0f + third)) - discWithin(k * sin(kPi / 3.0f - third));
}

// Half of the width, in radii, over which a pixel and the lights of a sprite spread.
SHADER_FUNCTION float sphericalSoft(float radius, vec3 variance) {
  return 0.5f * sqrt(1.0f + 6.0f * (variance.x + variance.z)) / abs(radius);
}

// The density of light at the distance `far` from the centre, averaged over a ring of width 2 soft. Lengths in radii. A
// uniform disc has the density 1. Summed over all pixels, the light equals the light of a uniform disc, except in the
// innermost ring.
SHADER_FUNCTION float sphericalDensity(vec2 rays, float far, float soft) {
  float middle = max(far, 0.05f * soft);
  return (lightWithin(rays, middle + soft) - lightWithin(rays, abs(middle - soft))) / (4.0f * middle * soft);
}
// 1 minus the mean of lightWithin() from 0 to `soft`, by Simpson's rule: the sum of sphericalDensity() over all pixels,
// divided by the sum over a uniform disc.
SHADER_FUNCTION float sphericalSum(vec2 rays, float soft) {
  return 1.0f - (4.0f * (lightWithin(rays, 0.25f * soft) + lightWithin(rays, 0.75f * soft)) +
                 2.0f * lightWithin(rays, 0.5f * soft) + lightWithin(rays, soft)) / 12.0f;
}

// The integral of apertureCoverage() over the image plane, in pixels. An outline moved outwards by d pixels encloses
// the area A + P d + T d^2. With d distributed as the soft edge, the mean is A + T (1/12 + v), where v, averaged over
// all normals, is half of xx + yy. T = pi for a disc and n tan(pi/n) for n sides. At a corner, the product of two edges
// subtracts 1 / sin(2 pi/n), which leaves -n cot(2 pi/n). Arcs of angle a meet in corners of 2 pi/n - a, where the
// lesser of two edges counts: T = n (a/2 + tan(pi/n - a/2)).
SHADER_FUNCTION float apertureArea(Aperture aperture, float radius, vec3 variance) {
  float even = unitArea(aperture) * radius * radius * aperture.anamorphicRatio;
  if (aperture.spherical != 0.0f)
    return even * sphericalSum(sphericalRays(aperture, radius), sphericalSoft(radius, variance));
  if (aperture.image != 0) return even;
  float ofEdge = kPi;
  if (aperture.blades >= 3) {
    float n = float(aperture.blades), turns = aperture.curvature > 0.0f ? 0.5f * arcAngle(aperture) : 0.0f;
    ofEdge = aperture.curvature > 0.0f ? n * (turns + tan(kPi / n - turns)) : -n / tan(2.0f * kPi / n);
  }
  return even + ofEdge * (1.0f + 6.0f * (variance.x + variance.z)) / 12.0f;
}

// Distance from the centre, in pixels along y, beyond which apertureCoverage() is 0. Uses the largest variance along
// any axis.
SHADER_FUNCTION float apertureReach(Aperture aperture, float radius, vec3 variance) {
  float largest = 0.5f * (variance.x + variance.z) + length(vec2(0.5f * (variance.x - variance.z), variance.y));
  float disc = abs(radius);
  if (aperture.spherical != 0.0f) disc *= max(sphericalReach(sphericalRays(aperture, radius)), 1.0f);
  if (aperture.image != 0) disc += disc * (1.5f / float(kApertureCells));  // half the diagonal of a cell
  return disc +
         0.5f * sqrt(edgeSquared(largest)) * max(1.0f, 1.0f / aperture.anamorphicRatio) / inscribedRadius(aperture);
}

// Distance from the centre, in pixels along y, up to which apertureCoverage() is 1; may be negative. `reach`:
// apertureReach().
SHADER_FUNCTION float apertureSolid(Aperture aperture, float radius, float reach) {
  if (aperture.image != 0 || aperture.spherical != 0.0f) return -1.0f;
  return abs(radius) * inscribedRadius(aperture) - (reach - abs(radius));
}

// Coverage by a half-plane: 1 inside, 0 outside, with a soft edge. The edge fades in smoothly, so a bright sprite that
// grows by a fraction of a pixel changes the dark pixels around it little. `outside`: distance from the line along
// `normal`, in pixels before the stretch by anamorphicRatio.
SHADER_FUNCTION float edgeCoverage(Aperture aperture, float outside, vec2 normal, vec3 variance) {
  vec2 gradient = normal / vec2(aperture.anamorphicRatio, 1.0f);
  float squared = dot(gradient, gradient);
  float v = varianceAlong(gradient * inversesqrt(squared), variance);
  float t = clamp(0.5f - outside * inversesqrt(squared * edgeSquared(v)), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// Coverage by the disc or polygon at `fromCentre` pixels from its centre: 1 inside, 0 outside, with a soft edge and
// round corners.
SHADER_FUNCTION float apertureCoverage(Aperture aperture, vec2 fromCentre, float radius, vec3 variance) {
  vec2 at = fromCentre / vec2(aperture.anamorphicRatio, 1.0f) * sign(radius);
  float toOutline = abs(radius) * inscribedRadius(aperture), fromMiddle = length(at);
  if (aperture.blades < 3)
    return edgeCoverage(aperture, fromMiddle - toOutline, fromMiddle > 0.0f ? at / fromMiddle : vec2(1.0f, 0.0f),
                        variance);
  float side = 2.0f * kPi / float(aperture.blades), sides = (atan(at.y, at.x) - aperture.turn) / side;
  float nearest = floor(sides) + 0.5f, coverage = 1.0f;
  for (int i = 0; i < 2; ++i) {
    float angle = aperture.turn + (nearest + (sides < nearest ? -float(i) : float(i))) * side;
    vec2 normal = vec2(cos(angle), sin(angle));
    if (aperture.curvature > 0.0f) {
      vec2 fromArc = at - normal * (abs(radius) * arcCentre(aperture));
      float far = length(fromArc);
      coverage = min(coverage, edgeCoverage(aperture, far - abs(radius) / aperture.curvature,
                                            far > 0.0f ? fromArc / far : normal, variance));
    } else {
      coverage *= edgeCoverage(aperture, dot(at, normal) - toOutline, normal, variance);
    }
  }
  return coverage;
}

// Optical vignetting: a second stop of the same size, `apart` radii beside the first, cuts the aperture to the points a
// of the unit disc with |a + apart| <= 1. Returns `apart` for pixel p.
SHADER_FUNCTION vec2 secondStop(Aperture aperture, vec2 p) { return (p - aperture.axisPx) * aperture.catEye; }

// Whether the second stop cuts a point of the aperture off for pixel p. `point` is stretched by anamorphicRatio.
SHADER_FUNCTION bool isCut(Aperture aperture, vec2 point, vec2 p) {
  vec2 second = point / vec2(aperture.anamorphicRatio, 1.0f) + secondStop(aperture, p);
  return aperture.catEye > 0.0f && dot(second, second) > 1.0f;
}

// The part of the disc that the second stop leaves.
SHADER_FUNCTION float uncutPart(float apart) {
  float h = min(0.5f * apart, 1.0f);
  return 1.0f - 0.63661977f * (asin(h) + h * sqrt(1.0f - h * h));
}

// Coverage by the disc of the second stop, as apertureCoverage().
SHADER_FUNCTION float uncutCoverage(Aperture aperture, vec2 fromCentre, float radius, vec3 variance, vec2 apart) {
  vec2 at = fromCentre / vec2(aperture.anamorphicRatio, 1.0f) * sign(radius) + apart * abs(radius);
  float far = length(at);
  return edgeCoverage(aperture, far - abs(radius), far > 0.0f ? at / far : vec2(1.0f, 0.0f), variance);
}

#endif
