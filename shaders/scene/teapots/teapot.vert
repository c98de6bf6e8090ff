#version 450 core
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/project.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 patchUv;
layout(location = 3) in vec4 placement;  // xyz, cosine of the turn
layout(location = 4) in vec4 glaze;      // rgb, sine of the turn
layout(location = 5) in vec4 ornament;   // rgb
layout(location = 6) in vec4 lamp;       // xyz
layout(location = 7) in vec4 intensity;  // rgb

out vec3 worldPosition;
out vec3 worldNormal;
out float outward;  // below 0 on the inner lip and on the ledge, which the lid covers
out vec2 uv;
flat out vec3 glazeAlbedo;
flat out vec3 ornamentAlbedo;
out vec4 fog;  // rgb: radiance added by the fog; a: fraction of the light that passes
flat out vec3 lampPosition;
flat out vec3 lampIntensity;

vec3 turned(vec3 v) {
  return vec3(placement.w * v.x + glaze.w * v.z, v.y, placement.w * v.z - glaze.w * v.x);
}

// Height of the opening, radius of its rim, and height of the ledge inside, on which the lid lies.
const float kOpeningYM = 2.4 * UNIT_M, kRimRadiusM = 1.5 * UNIT_M, kLedgeYM = 2.39 * UNIT_M;

void main() {
  worldPosition = turned(position) + placement.xyz;
  worldNormal = turned(normal);
  bool onRim = position.y > 0.999 * kOpeningYM && length(position.xz) < 1.001 * kRimRadiusM;
  bool onLedge = normal.y > 0.999 && abs(position.y - kLedgeYM) < 0.001 * UNIT_M && length(position.xz) < kRimRadiusM;
  outward = onLedge ? -1.0 : onRim ? dot(position.xz, normal.xz) : 1.0;
  uv = patchUv.yx;
  glazeAlbedo = glaze.rgb;
  ornamentAlbedo = ornament.rgb;
  lampPosition = lamp.xyz;
  lampIntensity = intensity.rgb;
  vec3 offset = worldPosition - eye.xyz;
  float distanceM = length(offset);
  float transmittance = fogTransmittance(distanceM);
  fog = vec4((1.0 - transmittance) * fogRadiance(offset, distanceM), transmittance);
  gl_Position = project(worldPosition, 0.0);
}
