#version 450 core
#include "shaders/scene/project.glsl"

out vec3 worldPosition;

// A square of at least 800 m centred below the eye. Its edge is less than 0.0025 radians below the horizon.
void main() {
  float halfSideM = 400.0 * max(1.0, abs(eye.y));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  worldPosition = vec3(eye.x + halfSideM * corner.x, 0.0, eye.z - halfSideM * corner.y);
  gl_Position = project(worldPosition, 0.0);
}
