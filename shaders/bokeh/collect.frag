#version 450 core
// Collects bokeh sprites in fragment shaders. PASS_KINDS: the kind of each pixel's highlight, 0: none. PASS_FIRSTS: 1
// for the first highlight of its kind in its cell, by row, then column. PASS_SPRITES: the texels of the sprites, three a
// sprite. PASS_COMMAND: the command of glDrawArraysIndirect.
#if PASS_COMMAND
#include "shaders/scan/folded.glsl"
#else
#include "shaders/bokeh/bright_pixel.glsl"
#endif

#if PASS_KINDS
layout(location = 0) out uint kind;

void main() { kind = highlightAt(ivec2(gl_FragCoord.xy)).kind; }

#elif PASS_FIRSTS
layout(binding = 2) uniform usampler2D kinds;
layout(location = 0) out uint first;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  uint kind = texelFetch(kinds, at, 0).x;
  first = 0u;
  if (kind == 0u) return;
  int side = 1 << cellLevel(kind);
  ivec2 from = at & -side;
  int right = min(from.x + side, textureSize(kinds, 0).x);
  for (int y = from.y; y <= at.y; ++y)
    for (int x = from.x; x < (y == at.y ? at.x : right); ++x)
      if (texelFetch(kinds, ivec2(x, y), 0).x == kind) return;
  first = 1u;
}

#elif PASS_SPRITES
layout(binding = 2) uniform usampler2D kinds;
layout(binding = 3) uniform usampler2D firsts;  // the first pixel of each sprite, in rows of as many as `texel` has
layout(location = 0) out vec4 texel;

void main() {
  ivec2 place = ivec2(gl_FragCoord.xy), size = textureSize(kinds, 0);
  uint pixel = texelFetch(firsts, ivec2(place.x / 3, place.y), 0).x;
  if (pixel == NONE) discard;
  ivec2 at = ivec2(pixel % uint(size.x), pixel / uint(size.x));
  uint kind = texelFetch(kinds, at, 0).x;
  int side = 1 << cellLevel(kind);
  ivec2 from = at & -side, to = min(from + side, size);
  BokehMoments sum = noMoments();
  for (int y = at.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x)
      if (texelFetch(kinds, ivec2(x, y), 0).x == kind)
        sum = withHighlight(sum, highlightAt(ivec2(x, y)), vec2(x, y) - vec2(at));
  SpriteTexels texels = spriteTexels(sum, vec2(at), texelFetch(depth, at, 0).x);
  texel = place.x % 3 == 0 ? texels.place : place.x % 3 == 1 ? texels.light : texels.shape;
}

#elif PASS_COMMAND
layout(binding = 0) uniform usampler2D sums;
uniform uint count, capacity;
layout(location = 0) out uvec4 command;

void main() {
  uint found = fetchElement(sums, count - 1u);
  command = uvec4(VERTICES, found > capacity ? 0u : found, 0u, 0u);
}
#endif
