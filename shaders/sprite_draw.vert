#version 450 core
#include "sprite_common.glsl"

// Four corners of a square around sprite gl_InstanceID, laid out as in cuda/lens/highlight.h.
layout(binding = 0) uniform sampler2D sprites;
uniform vec2 size;
uniform int spritesPerRow;
flat out vec3 place;  // centre and signed radius, pixels
flat out vec3 light;  // of a pixel

void main() {
  ivec2 texel = ivec2(gl_InstanceID % spritesPerRow * 2, gl_InstanceID / spritesPerRow);
  place = texelFetch(sprites, texel, 0).xyz;
  light = texelFetch(sprites, texel + ivec2(1, 0), 0).rgb / apertureArea(place.z);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 at = place.xy + corner * (abs(place.z) * vec2(stretch, 1.0) + 1.0);
  gl_Position = vec4(at / size * 2.0 - 1.0, 0.0, 1.0);
}
