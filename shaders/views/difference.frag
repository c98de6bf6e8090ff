#version 450 core

#include "shaders/common/look.glsl"

// A heat map of the largest difference of a channel between two images as displayed, times `gain`: black, blue, red,
// yellow, white. Left of `firstColumn`, the first image.
layout(binding = 0) uniform sampler2D first;
layout(binding = 1) uniform sampler2D second;
layout(std140, binding = 0) uniform Difference {  // app/views/difference.h
  Look look;
  float exposure, gain;
  int firstColumn;
};
layout(location = 0) out vec4 colour;

vec3 toned(vec3 v) {
  return min(lookToneMapped(look, max(v * exposure, 0.0)), 1.0);
}

vec3 displayed(vec3 v) {
  v = toned(v);
  return vec3(encodeSrgb(v.r), encodeSrgb(v.g), encodeSrgb(v.b));
}

vec3 heat(float t) {
  const vec3 stops[] = vec3[](vec3(0.0), vec3(0.02, 0.04, 0.5), vec3(0.8, 0.02, 0.05), vec3(1.0, 0.7, 0.0), vec3(1.0));
  float at = clamp(t, 0.0, 1.0) * 4.0;
  int stop = min(int(at), 3);
  return mix(stops[stop], stops[stop + 1], at - float(stop));
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 a = texelFetch(first, pixel, 0).rgb, b = texelFetch(second, pixel, 0).rgb;
  vec3 difference = abs(displayed(a) - displayed(b));
  float largest = max(difference.r, max(difference.g, difference.b));
  colour = vec4(pixel.x < firstColumn ? toned(a) : heat(gain * largest), 1.0);
}
