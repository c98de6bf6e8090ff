#version 450 core
#include "shaders/scene/project.glsl"
#include "shaders/scene/model/shadow.glsl"

out vec3 worldPosition;
out vec2 place;  // texture coordinates of the shadow maps

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  worldPosition = vec3(mix(low.x, high.x, place.x), low.y, mix(low.z, high.z, place.y));
  gl_Position = project(worldPosition, 0.0);
}
