#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/sky.glsl"

// Alpha is 0 below the horizon: the ground covers these pixels, or peeling has removed the ground.
void main() {
  vec3 towards = normalize(direction);
  colour = vec4(skyRadiance(towards), towards.y < -0.02 ? 0.0 : 1.0);
  finishSky();
}
