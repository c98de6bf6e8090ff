#include "shaders/scene/lighting.glsl"

// Radiance towards v of a glazed surface with normal n, lit by `irradiance` from l: Lambert plus GGX of roughness
// a = 0.09, F0 = 0.04 and the visibility of Karis (2013), 1 / (4 max(l.h, 0.3)^2). All directions are unit length.
vec3 reflectedLight(vec3 n, vec3 v, vec3 l, vec3 albedo, vec3 irradiance) {
  const float a2 = 0.09 * 0.09;
  vec3 h = v + l;
  float hh = max(dot(h, h), 1e-6);
  float nh = max(dot(n, h), 0.0);
  float lh = dot(l, h);
  float d = nh * nh / hh * (a2 - 1.0) + 1.0;
  float specular = 0.04 * a2 / (4.0 * kPi * d * d * max(lh * lh / hh, 0.09));
  return (albedo / kPi + specular) * irradiance * max(dot(n, l), 0.0);
}
