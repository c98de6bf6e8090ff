// The aperture's image: a disc, or a regular polygon whose corners lie on it, of |R| pixels radius, `anamorphicRatio` times as
// wide, upside down in front of the focus plane (R < 0).
#include "shaders/bokeh/radius.glsl"

uniform int blades;
uniform float turn;  // of the first corner, radians

const float kPi = 3.14159265;

// Radius and area of the unit disc's inscribed circle and polygon: r_i = cos(pi/n), A = n/2 sin(2 pi/n).
float inscribedRadius() { return blades < 3 ? 1.0 : cos(kPi / float(blades)); }
float unitArea() { return blades < 3 ? kPi : 0.5 * float(blades) * sin(2.0 * kPi / float(blades)); }

// Width of an edge across which light is scatter that has a variance, (along x, mixed, along y) in square pixels, along the
// outline's normal: that of even light over the width, which for one pixel is 1.
float edgeSquared(vec2 normal, vec3 variance) {
  return 1.0 + 12.0 * dot(variance * vec3(1.0, 2.0, 1.0), normal.xxy * normal.xyy);
}

// The integral of apertureCoverage(): outlines d pixels outside have the area A + P d + T d^2, and d is uniform in
// +-edge/2, so that T edge^2 / 12 is added, edge^2 being 1 + 6 (variance along x + along y) in the mean. T is pi for a
// disc, n tan(pi/n) for n sides; the product of two edges at a corner takes away 1 / sin(2 pi/n), so -n cot(2 pi/n) stays.
float apertureArea(float radius, vec3 variance) {
  float ofEdge = blades < 3 ? kPi : -float(blades) / tan(2.0 * kPi / float(blades));
  return unitArea() * radius * radius * lens.anamorphicRatio + ofEdge * (1.0 + 6.0 * (variance.x + variance.z)) / 12.0;
}

// From the centre on, with anamorphicRatio 1: beyond it apertureCoverage() is 0. The variance is largest along its first axis.
float apertureReach(float radius, vec3 variance) {
  float largest = 0.5 * (variance.x + variance.z) + length(vec2(0.5 * (variance.x - variance.z), variance.y));
  return abs(radius) + 0.5 * sqrt(1.0 + 12.0 * largest) * max(1.0, 1.0 / lens.anamorphicRatio) / inscribedRadius();
}

// Inside a line, `outside` pixels away with anamorphicRatio 1 along its normal: 1, else 0, with a soft edge.
float edgeCoverage(float outside, vec2 normal, vec3 variance) {
  vec2 gradient = normal / vec2(lens.anamorphicRatio, 1.0);
  return clamp(0.5 - outside * inversesqrt(dot(gradient, gradient) * edgeSquared(normalize(gradient), variance)), 0.0, 1.0);
}

// The aperture's image of light with a variance: 1 inside, 0 outside, with a soft edge and round corners.
float apertureCoverage(vec2 fromCentre, float radius, vec3 variance) {
  vec2 at = fromCentre / vec2(lens.anamorphicRatio, 1.0) * sign(radius);
  float toOutline = abs(radius) * inscribedRadius(), distance_ = length(at);
  if (blades < 3) return edgeCoverage(distance_ - toOutline, distance_ > 0.0 ? at / distance_ : vec2(1.0, 0.0), variance);
  float side = 2.0 * kPi / float(blades), sides = (atan(at.y, at.x) - turn) / side, nearest = floor(sides) + 0.5;
  float coverage = 1.0;
  for (int i = 0; i < 2; ++i) {
    float angle = turn + (nearest + (sides < nearest ? -float(i) : float(i))) * side;
    vec2 normal = vec2(cos(angle), sin(angle));
    coverage *= edgeCoverage(dot(at, normal) - toOutline, normal, variance);
  }
  return coverage;
}
