layout(std140, binding = 0) uniform Scene {
  mat4 worldToClip;
  vec4 eye;
};

const float kPi = 3.14159265;

// The last light: towards it, and what it sends. scripts/make_textures.py reads the direction and the square.
const vec3 kKeyDirection = vec3(-0.78, 0.40, -0.48);
const vec3 kKeyIrradiance = vec3(1.60, 0.86, 0.42);
const vec3 kSkyIrradiance = vec3(0.17, 0.22, 0.38);
const vec3 kZenith = vec3(0.010, 0.022, 0.065);
const vec3 kHorizon = vec3(0.21, 0.105, 0.072);
const float kFogPerM = 0.04;

// The rectangle on the ground that shadows.png covers, metres from the teapot's axis: along the light's way, least
// and length; across it, half the width.
const vec2 kShadowAlong = vec2(-0.36, 1.26);
const float kShadowAcross = 0.40;

// Sky at the horizon towards a level unit direction (x, z): it glows on the side of the light.
vec3 horizonRadiance(vec2 level) {
  float towards = 0.5 + 0.5 * dot(level, kKeyDirection.xz);
  return kHorizon * (0.22 + towards * towards);
}

// Sky towards a unit direction: the glow fades upwards.
vec3 skyRadiance(vec3 direction) {
  float height = max(direction.y, 0.0);
  return mix(kZenith, horizonRadiance(direction.xz), 1.0 / (1.0 + 50.0 * height * (0.4 + height)));
}

// How much of the light survives the air, and the light that the air adds.
float fogTransmittance(float distanceM) { return exp2(-kFogPerM * distanceM); }
vec3 fogRadiance(vec3 offset, float distanceM) { return horizonRadiance(offset.xz / distanceM); }
