#version 450 core
#include "scene_common.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 patchUv;
layout(location = 3) in vec4 placement;  // xyz, cosine of the turn
layout(location = 4) in vec4 glaze;      // rgb, sine of the turn
layout(location = 5) in vec4 ornament;   // rgb
layout(location = 6) in vec4 lamp0;      // xyz
layout(location = 7) in vec4 intensity0; // rgb
layout(location = 8) in vec4 lamp1;
layout(location = 9) in vec4 intensity1;

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 uv;
flat out vec3 glazeAlbedo;
flat out vec3 ornamentAlbedo;
flat out vec3 lampPosition[2];
flat out vec3 lampIntensity[2];

vec3 turned(vec3 v) {
  return vec3(placement.w * v.x + glaze.w * v.z, v.y, placement.w * v.z - glaze.w * v.x);
}

void main() {
  worldPosition = turned(position) + placement.xyz;
  worldNormal = turned(normal);
  uv = patchUv.yx;
  glazeAlbedo = glaze.rgb;
  ornamentAlbedo = ornament.rgb;
  lampPosition = vec3[](lamp0.xyz, lamp1.xyz);
  lampIntensity = vec3[](intensity0.rgb, intensity1.rgb);
  gl_Position = worldToClip * vec4(worldPosition, 1.0);
}
