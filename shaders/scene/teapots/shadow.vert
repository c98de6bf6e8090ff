#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/project.glsl"

layout(location = 3) in vec4 placement;  // as in teapot.vert
layout(location = 4) in vec4 glaze;
out vec3 worldPosition;
out vec3 within;  // coordinates in shadows.png: along, across, turn

// The rectangle on the ground that shadows.png covers, in metres from the axis of the teapot: start and length along
// the direction of the light, half the width across it. `scripts/make textures` reads both constants.
const vec2 kShadowAlong = vec2(-0.36, 1.26);
const float kShadowAcross = 0.40;

// The rectangle is raised by a millimetre to pass the depth test against the ground.
void main() {
  vec2 corner = vec2(gl_VertexID >> 1, gl_VertexID & 1);
  vec2 along = -normalize(kKeyDirection.xz);
  vec2 across = vec2(-along.y, along.x);
  vec2 xz = placement.xz + along * (kShadowAlong.x + corner.x * kShadowAlong.y) +
            across * ((2.0 * corner.y - 1.0) * kShadowAcross);
  worldPosition = vec3(xz.x, 0.001, xz.y);
  within = vec3(corner, atan(glaze.w, placement.w) / (2.0 * kPi));
  gl_Position = project(worldPosition, worldPosition.y);
}
