// What the passes of the layered lens share. Signed radius R in pixels, negative in front of the focus plane.
#include "shaders/lens/near_scatter.glsl"

uniform ThinLens lens;
uniform int steps;

float signedRadius(float depth) { return signedRadius(lens, depth); }

// How much of a pixel the far field blurs.
float farPart(float r) { return blurWeight(max(r, 0.0)); }

// Its weight in the blur of others. Small where it is nearly in focus: a bright pixel's light hardly leaves it there.
float farWeight(float r) { return farPart(r) * farPart(r); }

// How much of it gives way to what is behind, once its disc outgrows the pixel: see nearPart().
float hiddenPart(float r) { return clamp(-r - 0.5, 0.0, 1.0); }

uvec4 roundDithered(vec4 v, uvec2 pixel) {
  vec4 dithers = vec4(dither(pixel.x, pixel.y, 0u), dither(pixel.x, pixel.y, 1u), dither(pixel.x, pixel.y, 2u),
                      dither(pixel.x, pixel.y, 3u));
  return uvec4(v + dithers);
}
