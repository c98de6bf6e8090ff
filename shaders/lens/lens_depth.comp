#version 450 core
// lensDepth() of every pixel. SUMS: the depth is BlendedLayer::depth, a weighted sum.
#include "shaders/lens/focus_surface.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D depth;
layout(std140, binding = 0) uniform Surface { FocusSurface surface; };
#ifdef SUMS
layout(binding = 0, rgba16f) writeonly uniform image2D result;
#else
layout(binding = 0, r32f) writeonly uniform image2D result;
#endif

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(result)))) return;
  vec4 d = texelFetch(depth, p, 0);
#ifdef SUMS
  d.x = d.w > 0.0 ? lensDepth(surface, d.x / d.w, vec2(p) + 0.5) * d.w : 0.0;
#else
  d.x = lensDepth(surface, d.x, vec2(p) + 0.5);
#endif
  imageStore(result, p, d);
}
