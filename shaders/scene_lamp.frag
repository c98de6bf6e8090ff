#version 450 core
#include "scene_peel.glsl"

flat in vec3 radiance;
in vec2 within;
layout(location = 0) out vec4 colour;

// Brighter in the middle: 1.8 - 1.6 r^2, whose mean over the disc is 1.
void main() {
  peel();
  colour = vec4(min(radiance * (1.8 - 1.6 * dot(within, within)), 64.0), 1.0);
}
