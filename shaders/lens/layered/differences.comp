#version 450 core
// Interleaves the four planes that shaders/lens/layered/scatter.comp wrote, one a channel, to an RGBA image. Clears the
// planes for the next scatter.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer Plane { uint words[]; } planes[4];
layout(binding = 0, rgba32ui) writeonly uniform uimage2D image;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(image);
  if (p.x >= size.x || p.y >= size.y) return;
  int at = p.y * size.x + p.x;
  uvec4 v = uvec4(planes[0].words[at], planes[1].words[at], planes[2].words[at], planes[3].words[at]);
  if (v.x != 0u) planes[0].words[at] = 0u;
  if (v.y != 0u) planes[1].words[at] = 0u;
  if (v.z != 0u) planes[2].words[at] = 0u;
  if (v.w != 0u) planes[3].words[at] = 0u;
  imageStore(image, p, v);
}
