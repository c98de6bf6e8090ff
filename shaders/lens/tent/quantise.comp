#version 450 core
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/tent/quantise.glsl"
layout(binding = 0) writeonly uniform uimage2D element;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(pixel, imageSize(element)))) imageStore(element, pixel, cellAt(pixel));
}
