#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/project.glsl"
#include "shaders/scene/teapots/lamps.glsl"

const int kSectors = 20;
flat out vec3 radiance;
out vec2 within;  // position on the unit disc

// A sphere is drawn as a disc of kSectors triangles that faces the eye, without a vertex buffer.
void main() {
  vec4 lamp = lamps[2 * gl_InstanceID];
  vec3 towards = lamp.xyz - eye.xyz;
  vec3 right = normalize(vec3(-towards.z, 0.0, towards.x));
  vec3 up = normalize(cross(right, towards));
  float angle = 2.0 * kPi / float(kSectors) * float(gl_VertexID / 3 + gl_VertexID % 3 - 1);
  within = gl_VertexID % 3 == 0 ? vec2(0.0) : vec2(cos(angle), sin(angle));
  radiance = lamps[2 * gl_InstanceID + 1].rgb * fogTransmittance(length(towards));
  gl_Position = project(lamp.xyz + lamp.w * (within.x * right + within.y * up), 0.0);
}
