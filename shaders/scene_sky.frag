#version 450 core
#include "scene_common.glsl"

in vec3 direction;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;

void main() {
  colour = vec4(skyRadiance(normalize(direction)), 1.0);
  depth = 0.0;
}
