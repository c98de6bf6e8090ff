#version 450 core

layout(location = 0) uniform vec3 forward;
layout(location = 1) uniform vec3 rightPerNdc;
layout(location = 2) uniform vec3 upPerNdc;
layout(location = 3) uniform vec2 shear;
out vec3 direction;

// Covers the picture at infinity: depth 0.
void main() {
  vec2 ndc = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  direction = forward + (ndc.x - shear.x) * rightPerNdc + (ndc.y - shear.y) * upPerNdc;
  gl_Position = vec4(ndc, 0.0, 1.0);
}
