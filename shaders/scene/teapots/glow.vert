#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/project.glsl"
#include "shaders/scene/teapots/lamps.glsl"

out vec3 worldPosition;
flat out vec3 lampPosition;
flat out vec3 intensity;

// A square on the ground under each lantern, raised by a millimetre to pass the depth test against the ground.
void main() {
  vec4 lamp = lamps[2 * gl_InstanceID];
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  worldPosition = vec3(lamp.x + corner.x * kGlowReach * lamp.y, 0.001, lamp.z - corner.y * kGlowReach * lamp.y);
  lampPosition = lamp.xyz;
  intensity = lamps[2 * gl_InstanceID + 1].rgb * (kPi * lamp.w * lamp.w);
  gl_Position = project(worldPosition, worldPosition.y);
}
