#version 450 core
// Reduces SAMPLES samples to one: the mean colour and the nearest depth.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2DMS colours;
layout(binding = 1) uniform sampler2DMS depths;
layout(binding = 0, rgba16f) writeonly uniform image2D colour;
layout(binding = 1, r32f) writeonly uniform image2D depth;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(colour)))) return;
  vec4 sum = vec4(0.0);
  float nearest = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {
    sum += texelFetch(colours, pixel, i);
    nearest = max(nearest, texelFetch(depths, pixel, i).r);
  }
  imageStore(colour, pixel, sum / float(SAMPLES));
  imageStore(depth, pixel, vec4(nearest));
}
