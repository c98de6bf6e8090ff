#version 450 core
#include "scene_common.glsl"
#include "scene_peel.glsl"

layout(binding = 0) uniform sampler2D groundAlbedo;
in vec3 worldPosition;
layout(location = 0) out vec4 colour;

void main() {
  peel();
  vec3 offset = worldPosition - eye.xyz;
  vec3 albedo = texture(groundAlbedo, worldPosition.xz).rgb;
  vec3 radiance = albedo * (vec3(0.16, 0.17, 0.24) + kKeyRadiance * (kKeyDirection.y / 3.14159265));
  colour = vec4(withFog(radiance, offset), 1.0);
}
