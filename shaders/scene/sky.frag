#version 450 core
#include "shaders/scene/lighting.glsl"

in vec3 direction;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;

// Alpha is 0 well below the horizon: peeling has removed the ground, so the pixel is empty.
void main() {
  vec3 towards = normalize(direction);
  colour = vec4(skyRadiance(towards), towards.y < -0.02 ? 0.0 : 1.0);
  depth = 0.0;
}
