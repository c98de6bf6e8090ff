#version 450 core
#include "highlights.glsl"
#include "sprite_radius.glsl"

// The picture less the light that its sprites carry.
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
uniform float threshold, minRadiusPx;
layout(location = 0) out vec4 reduced;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 c = texelFetch(colour, pixel, 0);
  float radius = signedRadius(texelFetch(depth, pixel, 0).x);
  reduced = vec4(c.rgb * (1.0 - highlightPart(luminance(c.r, c.g, c.b), radius, threshold, minRadiusPx)), c.a);
}
