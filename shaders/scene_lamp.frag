#version 450 core
#include "scene_peel.glsl"

flat in vec3 radiance;
layout(location = 0) out vec4 colour;

void main() {
  peel();
  colour = vec4(radiance, 1.0);
}
