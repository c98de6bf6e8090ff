// What the passes of the layered lens share. Signed radius R in pixels, negative in front of the focus plane.
#include "staircase.glsl"

layout(location = 0) uniform float alpha;  // R = alpha d + beta
layout(location = 1) uniform float beta;
layout(location = 2) uniform vec2 sideScale;  // multipliers of R: near, far
layout(location = 3) uniform int steps;
layout(location = 4) uniform float stretch;

float signedRadius(float d) {
  float r = alpha * d + beta;
  return r * (r < 0.0 ? sideScale.x : sideScale.y);
}

// How much of a pixel is blurred on one side of the focus plane: none up to half a pixel, where the disc is the pixel
// itself, all of it from one pixel on.
float blurredPart(float r) { return clamp(2.0 * r - 1.0, 0.0, 1.0); }

// How much of a near pixel gives way to what is behind it. It begins where the pixel is spread altogether: before
// that its own colour is the best one behind what it spreads.
float hiddenPart(float r) { return clamp(-1.0 - r, 0.0, 1.0); }

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
