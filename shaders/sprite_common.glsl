// The aperture's picture: a disc, or a regular polygon whose corners lie on it, of |R| pixels radius, `stretch` times as
// wide, upside down in front of the focus plane (R < 0).
uniform int blades;
uniform float turn;  // of the first corner, radians
uniform float stretch;

const float kPi = 3.14159265;

// Radius and area of the unit disc's inscribed circle and polygon: r_i = cos(pi/n), A = n/2 sin(2 pi/n).
float inscribedRadius() { return blades < 3 ? 1.0 : cos(kPi / float(blades)); }
float unitArea() { return blades < 3 ? kPi : 0.5 * float(blades) * sin(2.0 * kPi / float(blades)); }

// The integral of apertureCoverage(): outlines d pixels outside have the area A + P d + T d^2, T = n tan(pi/n), and d
// is uniform in +-edge/2, so that T edge^2 / 12 is added.
float apertureArea(float radius, float edge) {
  float r = inscribedRadius();
  return unitArea() * (radius * radius * stretch + edge * edge / (12.0 * r * r));
}

// From the centre on, with stretch 1: beyond it apertureCoverage() is 0.
float apertureReach(float radius, float edge) {
  return abs(radius) + 0.5 * edge * max(1.0, 1.0 / stretch) / inscribedRadius();
}

// The aperture's picture of a square of even light: 1 inside, 0 outside, with an edge as wide as the square.
float apertureCoverage(vec2 fromCentre, float radius, float edge) {
  vec2 at = fromCentre / vec2(stretch, 1.0) * sign(radius);
  float toOutline = length(at);
  vec2 outward = at / max(toOutline, 1e-6);
  if (blades >= 3) {
    float side = 2.0 * kPi / float(blades);
    float angle = turn + (floor((atan(at.y, at.x) - turn) / side) + 0.5) * side;
    outward = vec2(cos(angle), sin(angle));
    toOutline = dot(at, outward);
  }
  float outside = (toOutline - abs(radius) * inscribedRadius()) / length(outward / vec2(stretch, 1.0));
  return clamp(0.5 - outside / edge, 0.0, 1.0);
}
