// Evening light: a low key light, the sky, and fog. ENVIRONMENT: an environment replaces the sky.
#ifdef ENVIRONMENT
#include "shaders/scene/environment.glsl"
#else
const float kPi = 3.14159265;
#endif

// The key light: direction towards the light, and irradiance. `scripts/make textures` reads the direction.
const vec3 kKeyDirection = vec3(-0.78, 0.40, -0.48);
const vec3 kKeyIrradiance = vec3(1.60, 0.86, 0.42);
const vec3 kSkyIrradiance = vec3(0.17, 0.22, 0.38);
const vec3 kZenith = vec3(0.010, 0.022, 0.065);
const vec3 kHorizon = vec3(0.21, 0.105, 0.072);
const float kFogPerM = 0.04;

#ifdef ENVIRONMENT
vec3 horizonRadiance(vec2 level) { return prefilteredLight(vec3(level.x, 0.0, level.y), 1.0); }
vec3 skyRadiance(vec3 direction) { return prefilteredLight(direction, 0.3); }  // 0.3: roughness of glaze
vec3 skyIrradiance(vec3 n) { return kPi * irradianceOverPi(n); }
#else
// Radiance of the sky at the horizon towards a horizontal unit direction (x, z), brightest towards the key light.
vec3 horizonRadiance(vec2 level) {
  float towards = 0.5 + 0.5 * dot(level, kKeyDirection.xz);
  return kHorizon * (0.22 + towards * towards);
}

// Radiance of the sky towards a unit direction, darker towards the zenith.
vec3 skyRadiance(vec3 direction) {
  float height = max(direction.y, 0.0);
  return mix(kZenith, horizonRadiance(direction.xz), 1.0 / (1.0 + 50.0 * height * (0.4 + height)));
}

// Irradiance of the sky and the ground on a surface with normal n, without shadows.
vec3 skyIrradiance(vec3 n) { return mix(vec3(0.16, 0.10, 0.07), kSkyIrradiance, 0.5 + 0.5 * n.y); }
#endif

// Fraction of the light that passes through the fog, and the radiance that thick fog has towards `offset`.
float fogTransmittance(float distanceM) { return exp2(-kFogPerM * distanceM); }
vec3 fogRadiance(vec3 offset, float distanceM) { return horizonRadiance(offset.xz / distanceM); }
