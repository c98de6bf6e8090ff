#version 450 core
#include "shaders/scene/project.glsl"

uniform vec3 low, high;  // corners of the shadow's part of the ground
out vec3 worldPosition;
out vec2 place;  // in it

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  worldPosition = vec3(mix(low.x, high.x, place.x), low.y, mix(low.z, high.z, place.y));
  gl_Position = project(worldPosition, 0.0);
}
