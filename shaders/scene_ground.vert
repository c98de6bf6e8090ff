#version 450 core
#include "scene_common.glsl"

out vec3 worldPosition;

// A square of 800 m about the eye.
void main() {
  const float kHalfSideM = 400.0;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  worldPosition = vec3(eye.x + kHalfSideM * corner.x, 0.0, eye.z - kHalfSideM * corner.y);
  gl_Position = worldToClip * vec4(worldPosition, 1.0);
}
