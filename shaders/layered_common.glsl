// What the passes of the layered lens share. Signed radius R in pixels, negative in front of the focus plane.
#include "circle_of_confusion.glsl"
#include "staircase.glsl"

layout(location = 0) uniform float alpha;  // R = alpha d + beta
layout(location = 1) uniform float beta;
layout(location = 2) uniform vec2 sideScale;  // multipliers of R: near, far
layout(location = 3) uniform int steps;
layout(location = 4) uniform float stretch;

float signedRadius(float d) {
  float r = thinLensRadius(d, alpha, beta);
  return r * (r < 0.0 ? sideScale.x : sideScale.y);
}

// How much of a pixel the far field blurs.
float farPart(float r) { return blurWeight(max(r, 0.0)); }

// How much of it the near field spreads: all of it before its disc outgrows the pixel, so that nothing shows through;
// then how much of it gives way to what is behind.
float nearPart(float r) { return clamp((-r - 0.0625) / 0.4375, 0.0, 1.0); }
float hiddenPart(float r) { return clamp(-r - 0.5, 0.0, 1.0); }

// A reproducible number in [0, 1) for unbiased rounding (Jarzynski and Olano 2020, pcg).
float dither(uvec2 pixel, uint channel) {
  uint v = (pixel.y * 16384u + pixel.x) * 4u + channel;
  v = v * 747796405u + 2891336453u;
  v = ((v >> ((v >> 28u) + 4u)) ^ v) * 277803737u;
  return float(((v >> 22u) ^ v) >> 8u) * (1.0 / 16777216.0);
}

uvec4 roundDithered(vec4 v, uvec2 pixel) {
  return uvec4(v + vec4(dither(pixel, 0u), dither(pixel, 1u), dither(pixel, 2u), dither(pixel, 3u)));
}
