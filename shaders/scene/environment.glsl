// Light of an environment (Environment in app/scene/model/environment.h).
const float kPi = 3.14159265;

layout(std140, binding = 2) uniform Environment {
  vec4 irradiance[9];  // irradiance / pi: coefficients of spherical harmonics up to l = 2
  vec4 environment;    // cosine and sine of the rotation about y, strength, levels of `prefiltered` - 1
};
layout(binding = 8) uniform sampler2D prefiltered;  // by direction; one level for each roughness

// Rotates a direction from the world to the environment.
vec3 toEnvironment(vec3 d) {
  return vec3(environment.x * d.x - environment.y * d.z, d.y, environment.y * d.x + environment.x * d.z);
}
// Texture coordinates of a direction in the environment.
vec2 skyCoordinates(vec3 d) { return vec2(atan(d.x, -d.z) / (2.0 * kPi) + 0.5, acos(clamp(d.y, -1.0, 1.0)) / kPi); }

vec3 irradianceOverPi(vec3 world) {
  vec3 n = toEnvironment(world);
  vec3 sum = irradiance[0].rgb * 0.282095 + irradiance[1].rgb * (0.488603 * n.y) +
             irradiance[2].rgb * (0.488603 * n.z) + irradiance[3].rgb * (0.488603 * n.x) +
             irradiance[4].rgb * (1.092548 * n.x * n.y) + irradiance[5].rgb * (1.092548 * n.y * n.z) +
             irradiance[6].rgb * (0.315392 * (3.0 * n.z * n.z - 1.0)) + irradiance[7].rgb * (1.092548 * n.x * n.z) +
             irradiance[8].rgb * (0.546274 * (n.x * n.x - n.y * n.y));
  return max(sum, 0.0) * environment.z;
}

// Mean radiance that a surface of a roughness reflects from the direction `world`.
vec3 prefilteredLight(vec3 world, float roughness) {
  return textureLod(prefiltered, skyCoordinates(toEnvironment(world)), roughness * environment.w).rgb * environment.z;
}
