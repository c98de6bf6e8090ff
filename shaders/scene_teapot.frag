#version 450 core
#include "scene_common.glsl"
#include "scene_peel.glsl"

in vec3 worldPosition;
in vec3 worldNormal;
in vec2 uv;
flat in vec3 glazeAlbedo;
flat in vec3 ornamentAlbedo;
layout(location = 0) out vec4 colour;

void main() {
  peel();
  vec3 n = normalize(worldNormal);
  vec3 offset = worldPosition - eye.xyz;
  vec3 v = -normalize(offset);
  vec3 h = normalize(v + kKeyDirection);
  float nl = max(dot(n, kKeyDirection), 0.0);
  float nv = max(dot(n, v), 0.0);
  float nh = max(dot(n, h), 0.0);
  float vh = max(dot(v, h), 0.0);

  // GGX of roughness 0.22 with Karis' visibility 1 / (4 (v.h)^2 ...): D V F n.l, dielectric F0 = 0.04.
  const float a2 = 0.0484 * 0.0484;
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float ggx = a2 / (3.14159265 * d * d) / (4.0 * max(vh * vh, 0.1));
  float fresnel = 0.04 + 0.96 * exp2((-5.55473 * nv - 6.98316) * nv);

  vec3 sky = mix(vec3(0.06, 0.05, 0.045), vec3(0.16, 0.17, 0.24), 0.5 + 0.5 * n.y);
  vec3 albedo = glazeAlbedo;
  vec3 reflected = reflect(-v, n);
  vec3 mirror = reflected.y > 0.0 ? skyRadiance(reflected) : vec3(0.05, 0.04, 0.035);
  vec3 radiance = albedo * (sky + kKeyRadiance * nl / 3.14159265 * 1.0) + kKeyRadiance * (0.04 * ggx * nl) + mirror * fresnel;
  colour = vec4(min(withFog(radiance, offset), 64.0), 1.0);
}
