// The blended surfaces behind the focus plane (BlendedLayer in app/device/scene_frame.h), for shaders/bokeh/sprite.glsl.
layout(binding = 3) uniform sampler2D paneColour;
layout(binding = 4) uniform sampler2D paneDepth;
vec2 paneAt(ivec2 pixel) {
  pixel = clamp(pixel, ivec2(0), textureSize(paneColour, 0) - 1);
  vec4 depths = texelFetch(paneDepth, pixel, 0);
  return vec2(texelFetch(paneColour, pixel, 0).a, depths.x / max(depths.w, 1e-4));
}
