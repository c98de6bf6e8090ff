#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/output.glsl"

layout(binding = 2) uniform sampler3D shadows;  // visible fractions of the key light and of the sky
in vec3 worldPosition;
in vec3 within;

// Outputs the fraction of the ground's light that is not in shadow. Blending multiplies the ground by this fraction.
void main() {
  beginFragment();
  const vec3 key = kKeyIrradiance * kKeyDirection.y;
  vec2 visible = texture(shadows, within + vec3(0.0, 0.0, 0.5 / float(textureSize(shadows, 0).z))).rg;
  vec3 sky = skyIrradiance(vec3(0.0, 1.0, 0.0));
  vec3 lit = (key * visible.r + sky * visible.g) / (key + sky);
  float transmittance = fogTransmittance(distance(worldPosition, eye.xyz));
  colour = vec4(mix(vec3(1.0), lit, transmittance), 1.0);
}
