layout(std140, binding = 0) uniform Scene {
  mat4 worldToClip;
  vec4 eye;
};

const vec3 kKeyDirection = vec3(-0.62, 0.42, -0.66);
const vec3 kKeyRadiance = vec3(1.9, 1.15, 0.62);
const vec3 kZenith = vec3(0.035, 0.06, 0.16);
const vec3 kHorizon = vec3(0.42, 0.22, 0.17);
const float kFogPerM = 0.03;

// Evening sky towards a unit direction: the horizon's glow fades upwards and away from the light.
vec3 skyRadiance(vec3 direction) {
  float height = max(direction.y, 0.0);
  float towards = 0.5 + 0.5 * dot(direction, kKeyDirection);
  return mix(kZenith, kHorizon * (0.35 + towards * towards), 1.0 / (1.0 + 14.0 * height * (0.4 + height)));
}

// Light scattered in the air in front of a point at `offset` from the eye.
vec3 withFog(vec3 radiance, vec3 offset) {
  float distanceM = length(offset);
  vec3 level = vec3(offset.x, 0.0, offset.z) / distanceM;
  return mix(skyRadiance(level), radiance, exp2(-kFogPerM * distanceM));
}
