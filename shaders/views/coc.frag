#version 450 core

#include "shaders/views/radius.glsl"

// Circles of confusion: blue in front of the focus plane, orange behind it, white where the radius is below one pixel.
// The brightness grows with the radius, to half of white at halfBrightPx.
layout(binding = 1) uniform sampler2D depth;
layout(location = 0) out vec4 colour;
uniform float halfBrightPx;

void main() {
  float radius = signedRadius(texelFetch(depth, ivec2(gl_FragCoord.xy), 0).x);
  float brightness = abs(radius) / (abs(radius) + halfBrightPx);
  vec3 side = (radius < 0.0 ? vec3(0.05, 0.25, 1.0) : vec3(1.0, 0.35, 0.02)) * brightness;
  colour = vec4(mix(vec3(1.0), side, smoothstep(0.5, 1.0, abs(radius))), 1.0);
}
