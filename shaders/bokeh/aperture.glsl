// The image of the aperture: a disc of |R| pixels radius or a regular polygon inscribed in it, anamorphicRatio times as
// wide as high, upside down in front of the focus plane (R < 0).
#ifndef SHADERS_BOKEH_APERTURE_GLSL
#define SHADERS_BOKEH_APERTURE_GLSL
#include "shaders/lens/thin_lens.glsl"

struct Aperture {
  int blades;
  float turn;  // angle of the first corner, radians
  float anamorphicRatio;
};

const float kPi = 3.14159265f;

// Radius and area of the unit disc's inscribed circle and polygon: r_i = cos(pi/n), A = n/2 sin(2 pi/n).
SHADER_FUNCTION float inscribedRadius(int blades) { return blades < 3 ? 1.0f : cos(kPi / float(blades)); }
SHADER_FUNCTION float unitArea(int blades) {
  return blades < 3 ? kPi : 0.5f * float(blades) * sin(2.0f * kPi / float(blades));
}

// Squared width of the soft edge of light with the variance v along the normal of the outline, in square pixels. The edge
// is the integral of 6 t (1 - t), which has the variance width^2 / 20: of one pixel, 1/12, plus v.
SHADER_FUNCTION float edgeSquared(float v) { return (5.0f / 3.0f) * (1.0f + 12.0f * v); }

// `variance`, here and below: of the light along x, covariance, along y.
SHADER_FUNCTION float varianceAlong(vec2 normal, vec3 variance) {
  return variance.x * normal.x * normal.x + 2.0f * variance.y * normal.x * normal.y + variance.z * normal.y * normal.y;
}

// The integral of apertureCoverage(). An outline d pixels outside has the area A + P d + T d^2. With d distributed as the
// soft edge the mean is A + T (1/12 + v); the mean of v over all normals is half of the variance along x + along y. T is
// pi for a disc, n tan(pi/n) for n sides. The product of two edges at a corner subtracts 1 / sin(2 pi/n), which leaves
// -n cot(2 pi/n).
SHADER_FUNCTION float apertureArea(Aperture aperture, float radius, vec3 variance) {
  int blades = aperture.blades;
  float ofEdge = blades < 3 ? kPi : -float(blades) / tan(2.0f * kPi / float(blades));
  return unitArea(blades) * radius * radius * aperture.anamorphicRatio +
         ofEdge * (1.0f + 6.0f * (variance.x + variance.z)) / 12.0f;
}

// Distance from the centre, at anamorphicRatio 1, beyond which apertureCoverage() is 0. Uses the largest variance along
// any axis.
SHADER_FUNCTION float apertureReach(Aperture aperture, float radius, vec3 variance) {
  float largest = 0.5f * (variance.x + variance.z) + length(vec2(0.5f * (variance.x - variance.z), variance.y));
  return abs(radius) + 0.5f * sqrt(edgeSquared(largest)) * max(1.0f, 1.0f / aperture.anamorphicRatio) /
                           inscribedRadius(aperture.blades);
}

// Distance from the centre, at anamorphicRatio 1, up to which apertureCoverage() is 1; may be negative. `reach`: of
// apertureReach().
SHADER_FUNCTION float apertureSolid(Aperture aperture, float radius, float reach) {
  return abs(radius) * inscribedRadius(aperture.blades) - (reach - abs(radius));
}

// Coverage of the half-plane behind a line: 1 inside, 0 outside, with a soft edge. The edge fades in smoothly: a bright
// sprite that grows by a fraction of a pixel changes the dark pixels around it little. `outside`: distance from the line
// along `normal`, at anamorphicRatio 1.
SHADER_FUNCTION float edgeCoverage(Aperture aperture, float outside, vec2 normal, vec3 variance) {
  vec2 gradient = normal / vec2(aperture.anamorphicRatio, 1.0f);
  float squared = dot(gradient, gradient);
  float v = varianceAlong(gradient * inversesqrt(squared), variance);
  float t = clamp(0.5f - outside * inversesqrt(squared * edgeSquared(v)), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// Coverage by the image of the aperture: 1 inside, 0 outside, with a soft edge and round corners.
SHADER_FUNCTION float apertureCoverage(Aperture aperture, vec2 fromCentre, float radius, vec3 variance) {
  vec2 at = fromCentre / vec2(aperture.anamorphicRatio, 1.0f) * sign(radius);
  float toOutline = abs(radius) * inscribedRadius(aperture.blades), fromMiddle = length(at);
  if (aperture.blades < 3)
    return edgeCoverage(aperture, fromMiddle - toOutline, fromMiddle > 0.0f ? at / fromMiddle : vec2(1.0f, 0.0f), variance);
  float side = 2.0f * kPi / float(aperture.blades), sides = (atan(at.y, at.x) - aperture.turn) / side;
  float nearest = floor(sides) + 0.5f, coverage = 1.0f;
  for (int i = 0; i < 2; ++i) {
    float angle = aperture.turn + (nearest + (sides < nearest ? -float(i) : float(i))) * side;
    vec2 normal = vec2(cos(angle), sin(angle));
    coverage *= edgeCoverage(aperture, dot(at, normal) - toOutline, normal, variance);
  }
  return coverage;
}

#endif
