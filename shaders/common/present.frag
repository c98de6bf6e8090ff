#version 450 core

#include "shaders/common/look.glsl"

// Exposure, tone curve and sRGB encoding; debug views get only the sRGB encoding. A thin line marks the split.
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D under;
layout(binding = 2) uniform sampler2D opacity;
layout(std140, binding = 0) uniform Presented {
  Look look;
  vec2 targetSize;
  vec2 shownFrom, shownTo;  // pixels of the target; black outside
  float weight;  // of the image over `under`
  float exposure;
  float splitLine;  // 0 to 1; outside: no line
  int divides;  // the image by its opacity
  int toneMapLeft, toneMapRight;
};
layout(location = 0) out vec4 display;

void main() {
  vec2 at = gl_FragCoord.xy / targetSize;
  vec3 v = max(texture(image, at).rgb, 0.0);
  if (weight < 1.0) v = mix(max(texture(under, at).rgb, 0.0), v, weight);
  if (divides != 0) v /= max(texture(opacity, at).r, 1.0 / 4096.0);
  if ((at.x < splitLine ? toneMapLeft : toneMapRight) != 0) v = lookToneMapped(look, v * exposure);
  v = min(v, 1.0);
  if (any(lessThan(gl_FragCoord.xy, shownFrom)) || any(greaterThan(gl_FragCoord.xy, shownTo))) v = vec3(0.0);
  v = vec3(encodeSrgb(v.r), encodeSrgb(v.g), encodeSrgb(v.b));
  if (abs(gl_FragCoord.x - splitLine * targetSize.x) < 1.0) v = mix(v, vec3(1.0), 0.8);
  display = vec4(v, 1.0);
}
