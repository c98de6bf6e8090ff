#version 450 core
#include "shaders/scene/output.glsl"

flat in vec3 radiance;
in vec2 within;

// Limb darkening: the profile 1.8 - 1.6 r^2 has the mean 1 over the disc.
void main() {
  beginFragment();
  colour = vec4(min(radiance * (1.8 - 1.6 * min(dot(within, within), 1.0)), 64.0), 1.0);
}
