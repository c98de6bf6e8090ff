#version 450 core
#include "shaders/scene/sky_rays.glsl"

out vec3 direction;

// A triangle that covers the image at depth 0, which is infinity.
void main() {
  vec2 ndc = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  direction = forward + (ndc.x - shear.x) * rightPerNdc + (ndc.y - shear.y) * upPerNdc;
  gl_Position = vec4(ndc, 0.0, 1.0);
}
