#version 450 core
// Collects bokeh sprites in fragment shaders.
//   PASS_RADII    the radius of each pixel's highlight; 0: no highlight
//   PASS_FIRSTS   the number of sprites, 0 to 2, of which the pixel is the first: see shaders/bokeh/first.glsl
//   PASS_SPRITES  the texels of the sprites, three a sprite
//   PASS_COMMAND  the command of glDrawArraysIndirect
#if PASS_COMMAND
#include "shaders/scan/folded.glsl"
#else
#include "shaders/bokeh/bright_pixel.glsl"
#endif

#if PASS_FIRSTS || PASS_SPRITES
#include "shaders/bokeh/first.glsl"
layout(binding = 2) uniform sampler2D radii;

float radiusAt(ivec2 pixel) { return texelFetch(radii, pixel, 0).x; }
bool isFirst(ivec2 at, uint parity) { return isFirst(at, textureSize(radii, 0).x, parity); }
#endif

#if PASS_RADII
layout(location = 0) out float radius;

void main() { radius = highlightAt(ivec2(gl_FragCoord.xy)).radius; }

#elif PASS_FIRSTS
layout(location = 0) out uint firsts;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  firsts = 0u;
  if (radiusAt(at) != 0.0) firsts = uint(isFirst(at, 0u)) + uint(isFirst(at, 1u));
}

#elif PASS_SPRITES
layout(binding = 3) uniform usampler2D firstPixels;  // of each sprite, in rows of SPRITES_PER_ROW; NONE: no sprite
layout(location = 0) out vec4 texel;

uint firstPixelOf(int sprite) {
  int width = textureSize(firstPixels, 0).x;
  return texelFetch(firstPixels, ivec2(sprite % width, sprite / width), 0).x;
}

void main() {
  ivec2 place = ivec2(gl_FragCoord.xy), size = textureSize(radii, 0);
  int sprite = place.y * textureSize(firstPixels, 0).x + place.x / 3;
  uint pixel = firstPixelOf(sprite);
  if (pixel == NONE) discard;
  ivec2 at = ivec2(pixel % uint(size.x), pixel / uint(size.x));
  // If a pixel is the first of two sprites, the second one has an odd kind. A single sprite has either.
  bool second = sprite > 0 && firstPixelOf(sprite - 1) == pixel;
  uint parity = second || !isFirst(at, 0u) ? 1u : 0u;
  uint kind = highlightKind(radiusAt(at), parity);
  int side = 1 << cellLevel(kind);
  ivec2 from = at & -side, to = min(from + side, size);
  BokehMoments sum = noMoments();
  for (int y = at.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x)
      if (highlightKind(radiusAt(ivec2(x, y)), parity) == kind) {
        Highlight highlight = highlightAt(ivec2(x, y));
        sum = withHighlight(sum, highlight, kindPart(highlight.radius, parity), vec2(x, y) - vec2(at));
      }
  SpriteTexels texels = spriteTexels(sum, vec2(at), texelFetch(depth, at, 0).x);
  texel = place.x % 3 == 0 ? texels.place : place.x % 3 == 1 ? texels.light : texels.shape;
}

#elif PASS_COMMAND
layout(binding = 0) uniform usampler2D sums;
uniform uint count;
layout(location = 0) out uvec4 command;

void main() {
  uint found = fetchElement(sums, count - 1u);
  command = uvec4(VERTICES, found > CAPACITY ? 0u : found, 0u, 0u);
}
#endif
