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
// is uniform in +-1/2, so that T/12 is added.
float apertureArea(float radius) {
  float r = inscribedRadius();
  return unitArea() * (radius * radius * stretch + 1.0 / (12.0 * r * r));
}

// 1 inside, 0 outside, with an edge one pixel wide: 1/2 minus the distance to the outline.
float apertureCoverage(vec2 fromCentre, float radius) {
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
  return clamp(0.5 - outside, 0.0, 1.0);
}
