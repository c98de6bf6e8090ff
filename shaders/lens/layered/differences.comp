#version 450 core
// Interleaves the four planes, one per channel, that shaders/lens/layered/scatter.comp wrote into one RGBA image, and
// clears them for the next frame.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer Differences { uint differences[]; };
layout(binding = 0, rgba32ui) writeonly uniform uimage2D image;

uint taken(int at) {
  uint v = differences[at];
  if (v != 0u) differences[at] = 0u;
  return v;
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(image);
  if (p.x >= size.x || p.y >= size.y) return;
  int at = p.y * size.x + p.x, plane = size.x * size.y;
  imageStore(image, p, uvec4(taken(at), taken(at + plane), taken(at + 2 * plane), taken(at + 3 * plane)));
}
