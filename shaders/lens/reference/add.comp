#version 450 core
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 0, rgba32f) uniform image2D sum;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(sum)))) return;
  imageStore(sum, p, imageLoad(sum, p) + vec4(texelFetch(image, p, 0).rgb, 1.0));
}
