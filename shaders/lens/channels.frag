#version 450 core
#include "shaders/lens/channels.glsl"
// The three channels of an image, each drawn apart and of its own size.
layout(binding = 0) uniform sampler2D red;
layout(binding = 1) uniform sampler2D green;
layout(binding = 2) uniform sampler2D blue;
layout(std140, binding = 0) uniform Channels {  // app/render/lens_effects.h
  Aperture aperture;
  float growth, vignetting;
  int spreadPx;
};
layout(binding = 3) uniform sampler2D spread;  // the light of a point, bottom row first
layout(location = 0) out vec4 result;

// Without growth, the pixel's own value.
vec4 at(sampler2D image, vec2 p, float larger) {
  vec2 from = channelPlace(aperture, p, larger);
  ivec2 low = ivec2(floor(from)), last = textureSize(image, 0) - 1;
  if (larger == 0.0) return texelFetch(image, clamp(ivec2(p), ivec2(0), last), 0);
  vec2 f = from - vec2(low);
  vec4 of[4];
  for (int k = 0; k < 4; ++k) of[k] = texelFetch(image, clamp(low + ivec2(k & 1, k >> 1), ivec2(0), last), 0);
  return mix(mix(of[0], of[1], f.x), mix(of[2], of[3], f.x), f.y);
}

vec4 channelsAt(vec2 p) {
  vec4 middle = at(green, p, 0.0);
  return vec4(at(red, p, growth).r, middle.g, at(blue, p, -growth).b, middle.a);
}

void main() {
  result = channelsAt(gl_FragCoord.xy);
  if (spreadPx > 0) {
    result.rgb = vec3(0.0);
    for (int y = -spreadPx; y <= spreadPx; ++y)
      for (int x = -spreadPx; x <= spreadPx; ++x)
        result.rgb += texelFetch(spread, spreadPx - ivec2(x, y), 0).rgb * channelsAt(gl_FragCoord.xy + vec2(x, y)).rgb;
  }
  if (vignetting > 0.0) result.rgb *= lightLeft(aperture, gl_FragCoord.xy, vignetting);
}
