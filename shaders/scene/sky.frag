#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/sky.glsl"

// Alpha is 0 below the horizon, beyond the edge of the ground: the pixels that the ground does not cover have been peeled.
void main() {
  vec3 towards = normalize(direction);
  colour = vec4(skyRadiance(towards), towards.y < -0.02 ? 0.0 : 1.0);
  finishSky();
}
