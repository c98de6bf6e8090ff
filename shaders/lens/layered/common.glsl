// Shared by the passes of the layered lens. R is the signed radius in pixels, negative in front of the focus plane.
#include "shaders/lens/near_scatter.glsl"

uniform ThinLens lens;
uniform int steps;

float signedRadius(float depth) { return signedRadius(lens, depth); }

// Part of a pixel that the far field blurs.
float farPart(float r) { return blurWeight(max(r, 0.0)); }

// Weight of a pixel in the far blur of other pixels. Small near the focus plane, where light hardly leaves its pixel. It
// grows with the root of R up to infinity: surfaces with small discs would bleed into the wide discs behind them. In the
// mean over four cameras, the root is better than the powers 0, 0.35, 0.7 and 1.
float farWeight(float r) {
  float widest = max(lens.beta * lens.farScale, 1.0);
  return farPart(r) * farPart(r) * sqrt(clamp(r / widest, 0.0, 1.0));
}

// Part of a near pixel that shows the background. Above 0 once the disc outgrows the pixel: see nearPart().
float hiddenPart(float r) { return clamp(-r - 0.5, 0.0, 1.0); }

// Of a pixel of a layer of blended surfaces, from its sums of weighted depths and of weights (BlendedLayer::depth), as if
// it was in front of the focus plane. 0 where the layer is empty.
float layerRadius(vec4 depths) { return depths.a > 1e-4 ? -abs(signedRadius(depths.r / depths.a)) : 0.0; }

uvec4 roundDithered(vec4 v, uvec2 pixel) {
  vec4 dithers = vec4(dither(pixel.x, pixel.y, 0u), dither(pixel.x, pixel.y, 1u), dither(pixel.x, pixel.y, 2u),
                      dither(pixel.x, pixel.y, 3u));
  return uvec4(v + dithers);
}
