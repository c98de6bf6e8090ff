#version 450 core
// Removes the light of the sprites from the image. If there are too many to draw, all light stays.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/bokeh/bright_pixel.glsl"
layout(std430, binding = 0) readonly buffer Command { uint vertices, sprites; };
layout(binding = 0, rgba16f) writeonly uniform image2D reduced;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(reduced)))) return;
  vec4 c = texelFetch(colour, pixel, 0);
  if (sprites > 0u) c.rgb -= highlightAt(pixel).light;
  imageStore(reduced, pixel, c);
}
