#version 450 core
// The nearest depth of each tile: shaders/bokeh/depth_tiles.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 0, r32f) writeonly uniform image2D tiles;

shared uint nearestBits;  // depths are not negative: their bits have the same order

void main() {
  if (gl_LocalInvocationIndex == 0u) nearestBits = 0u;
  barrier();
  ivec2 pixel = min(ivec2(gl_GlobalInvocationID.xy), textureSize(depth, 0) - 1);
  atomicMax(nearestBits, floatBitsToUint(texelFetch(depth, pixel, 0).x));
  barrier();
  if (gl_LocalInvocationIndex == 0u) imageStore(tiles, ivec2(gl_WorkGroupID.xy), vec4(uintBitsToFloat(nearestBits)));
}
