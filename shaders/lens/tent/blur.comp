#version 450 core
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/tent/blur.glsl"
layout(binding = 0) writeonly uniform image2D blurred;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(pixel, imageSize(blurred)))) imageStore(blurred, pixel, blurredAt(pixel));
}
