#version 450 core
// The mean depth of a layer of blended surfaces (BlendedLayer in app/device/scene_frame.h), for its highlights.
#include "shaders/bokeh/sprite_rule.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D depths;
layout(binding = 0, r32f) writeonly uniform image2D depth;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(depth)))) return;
  imageStore(depth, pixel, vec4(meanDepth(texelFetch(depths, pixel, 0))));
}
