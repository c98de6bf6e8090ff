#version 450 core

#include "shaders/scene/sky.glsl"

// A dark sky with a broad faint band along a great circle that is tilted against the horizon.
void main() {
  const vec3 kPole = vec3(0.37, 0.83, 0.42);
  float height = dot(normalize(direction), kPole);
  vec3 band = vec3(0.0045, 0.0040, 0.0062) * exp(-9.0 * height * height);
  colour = vec4(vec3(0.0011, 0.0014, 0.0026) + band, 1.0);
  finishSky();
}
