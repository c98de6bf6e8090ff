#include "shaders/common/luminance.glsl"

// Colour of a black body of unit luminance. `heat`: from 0 (2000 K) to 1 (14000 K).
vec3 starColour(float heat) {
  const vec3 kColours[5] = vec3[](vec3(1.00, 0.27, 0.06), vec3(1.00, 0.52, 0.21), vec3(1.00, 0.84, 0.66),
                                  vec3(0.72, 0.84, 1.00), vec3(0.42, 0.60, 1.00));
  float at = clamp(heat, 0.0, 1.0) * 4.0;
  int cell = min(int(at), 3);
  vec3 colour = mix(kColours[cell], kColours[cell + 1], at - float(cell));
  return colour / luminance(colour);
}

// Radiance of the disc of a body. `massRatio`: mass over median mass; `speed` in units of the simulation.
vec3 bodyColour(float speed, float massRatio, bool byMass) {
  float heat = byMass ? 0.42 + 0.22 * log2(max(massRatio, 1e-6)) : 0.62 * speed;
  return starColour(heat) * (0.24 * pow(clamp(massRatio, 0.1, 12.0), 0.9));
}
