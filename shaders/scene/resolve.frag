#version 450 core

layout(binding = 0) uniform sampler2DMS colours;
layout(binding = 1) uniform sampler2DMS depths;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;

// Reduces SAMPLES samples to one: the mean colour and the nearest depth.
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 sum = vec4(0.0);
  float nearest = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {
    sum += texelFetch(colours, pixel, i);
    nearest = max(nearest, texelFetch(depths, pixel, i).r);
  }
  colour = sum / float(SAMPLES);
  depth = nearest;
}
