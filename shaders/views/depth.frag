#version 450 core

// Diopters over the diopters of the nearest geometry.
layout(binding = 1) uniform sampler2D depth;
uniform float nearestDepth;
layout(location = 0) out vec4 colour;

void main() {
  float diopters = texelFetch(depth, ivec2(gl_FragCoord.xy), 0).x / nearestDepth;
  colour = vec4(vec3(min(diopters, 1.0)), 1.0);
}
