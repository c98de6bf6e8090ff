#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/fresnel.glsl"
#include "shaders/scene/materials.glsl"
#include "shaders/scene/output.glsl"

layout(binding = 1) uniform sampler2D ornamentCoverage;
in vec3 worldPosition;
in vec3 worldNormal;
in float outward;
in vec2 uv;
flat in vec3 glazeAlbedo;
flat in vec3 ornamentAlbedo;
in vec4 fog;
flat in vec3 lampPosition;
flat in vec3 lampIntensity;

void main() {
  beginFragment();
#ifdef PEEL
  if (outward < 0.0) discard;
#endif
  vec3 n = normalize(worldNormal);
  vec3 v = normalize(eye.xyz - worldPosition);

  vec3 albedo = mix(glazeAlbedo, ornamentAlbedo, texture(ornamentCoverage, uv).r);
  float up = 0.5 + 0.5 * n.y;
  // Ambient occlusion near the ground.
  float open = clamp(worldPosition.y * 8.0 + 0.25, 0.25, 1.0);
  vec3 radiance = albedo / kPi * skyIrradiance(n) * mix(open, 1.0, up);
  radiance += reflectedLight(n, v, kKeyDirection, albedo, kKeyIrradiance);
  vec3 toLamp = lampPosition - worldPosition;
  float inverse2 = 1.0 / max(dot(toLamp, toLamp), 1e-4);
  radiance += reflectedLight(n, v, toLamp * sqrt(inverse2), albedo, lampIntensity * inverse2);

  float nv = max(dot(n, v), 0.0);
  float fresnel = 0.04 + 0.96 * schlickWeight(nv);
  vec3 mirrored = reflect(-v, n);
  vec3 around = mirrored.y > 0.0 ? skyRadiance(mirrored) : vec3(0.05, 0.035, 0.025) * open;
  radiance += fresnel * around;
  colour = vec4(min(radiance * fog.a + fog.rgb, 64.0), 1.0);
}
