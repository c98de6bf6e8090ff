#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/fresnel.glsl"
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/output.glsl"

layout(binding = 0) uniform sampler2D groundAlbedo;
in vec3 worldPosition;

void main() {
  beginFragment();
  vec3 offset = worldPosition - eye.xyz;
  float distanceM = length(offset);
  vec3 fog = fogRadiance(offset, distanceM);
  float nv = abs(offset.y) / distanceM;
  float fresnel = 0.7 * schlickWeight(nv);
  vec3 albedo = texture(groundAlbedo, worldPosition.xz).rgb;
  vec3 radiance =
      albedo * ((skyIrradiance(vec3(0.0, 1.0, 0.0)) + kKeyIrradiance * kKeyDirection.y) / kPi) + fresnel * fog;
  colour = vec4(mix(fog, radiance, fogTransmittance(distanceM)), 1.0);
}
