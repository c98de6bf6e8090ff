#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/teapots/lamps.glsl"
#include "shaders/scene/output.glsl"

layout(binding = 0) uniform sampler2D groundAlbedo;
in vec3 worldPosition;
flat in vec3 lampPosition;
flat in vec3 intensity;

// Light of a lantern on the ground: the irradiance I h / r^3 of a small lamp of intensity I at height h and distance r,
// faded to zero at the edge of the square.
void main() {
  beginFragment();
  vec3 toLamp = lampPosition - worldPosition;
  float inverse2 = 1.0 / dot(toLamp, toLamp);
  float fade = max(1.0 - dot(toLamp.xz, toLamp.xz) / (kGlowReach * kGlowReach * lampPosition.y * lampPosition.y), 0.0);
  vec3 irradiance = intensity * (lampPosition.y * inverse2 * sqrt(inverse2) * fade * fade);
  float transmittance = fogTransmittance(distance(worldPosition, eye.xyz));
  colour = vec4(texture(groundAlbedo, worldPosition.xz).rgb / kPi * irradiance * transmittance, 0.0);
}
