// The image of the aperture: a disc of |R| pixels radius or a regular polygon inscribed in it, anamorphicRatio times as
// wide as high, upside down in front of the focus plane (R < 0).
#include "shaders/bokeh/radius.glsl"

uniform int blades;
uniform float turn;  // angle of the first corner, radians

const float kPi = 3.14159265;

// Radius and area of the unit disc's inscribed circle and polygon: r_i = cos(pi/n), A = n/2 sin(2 pi/n).
float inscribedRadius() { return blades < 3 ? 1.0 : cos(kPi / float(blades)); }
float unitArea() { return blades < 3 ? kPi : 0.5 * float(blades) * sin(2.0 * kPi / float(blades)); }

// Squared width of the soft edge with outline normal `normal`, for light with a variance (along x, covariance, along
// y) in square pixels: even light over the width has the variance of one pixel plus the variance along the normal.
float edgeSquared(vec2 normal, vec3 variance) {
  return 1.0 + 12.0 * dot(variance * vec3(1.0, 2.0, 1.0), normal.xxy * normal.xyy);
}

// The integral of apertureCoverage(). An outline d pixels outside has the area A + P d + T d^2. With d uniform in
// +-edge/2 the mean is A + T edge^2 / 12; the mean of edge^2 is 1 + 6 (variance along x + along y). T is pi for a disc,
// n tan(pi/n) for n sides. The product of two edges at a corner subtracts 1 / sin(2 pi/n), which leaves -n cot(2 pi/n).
float apertureArea(float radius, vec3 variance) {
  float ofEdge = blades < 3 ? kPi : -float(blades) / tan(2.0 * kPi / float(blades));
  return unitArea() * radius * radius * lens.anamorphicRatio + ofEdge * (1.0 + 6.0 * (variance.x + variance.z)) / 12.0;
}

// Distance from the centre, at anamorphicRatio 1, beyond which apertureCoverage() is 0. Uses the largest variance along
// any axis.
float apertureReach(float radius, vec3 variance) {
  float largest = 0.5 * (variance.x + variance.z) + length(vec2(0.5 * (variance.x - variance.z), variance.y));
  return abs(radius) + 0.5 * sqrt(1.0 + 12.0 * largest) * max(1.0, 1.0 / lens.anamorphicRatio) / inscribedRadius();
}

// Coverage of the half-plane behind a line: 1 inside, 0 outside, with a soft edge. `outside`: distance from the line
// along `normal`, at anamorphicRatio 1.
float edgeCoverage(float outside, vec2 normal, vec3 variance) {
  vec2 gradient = normal / vec2(lens.anamorphicRatio, 1.0);
  return clamp(0.5 - outside * inversesqrt(dot(gradient, gradient) * edgeSquared(normalize(gradient), variance)), 0.0, 1.0);
}

// Coverage by the image of the aperture: 1 inside, 0 outside, with a soft edge and round corners.
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
