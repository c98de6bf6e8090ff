#version 450 core
// Reads and writes as many bytes as a table build: its speed limits the speed of a build.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 0, rgba32ui) uniform writeonly uimage2D table;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(p, imageSize(table)))) imageStore(table, p, floatBitsToUint(texelFetch(image, p, 0)));
}
