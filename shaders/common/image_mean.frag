#version 450 core

// Shrinks the image to SIDE x SIDE pixels. Each averages 4x4 texels, spread evenly over its part of the image.
layout(binding = 0) uniform sampler2D colour;
layout(location = 0) out vec4 mean;

void main() {
  mean = vec4(0.0);
  for (int i = 0; i < 16; ++i) {
    vec2 at = (floor(gl_FragCoord.xy) + (vec2(i & 3, i >> 2) + 0.5) / 4.0) / float(SIDE);
    mean += texelFetch(colour, ivec2(at * vec2(textureSize(colour, 0))), 0) / 16.0;
  }
}
