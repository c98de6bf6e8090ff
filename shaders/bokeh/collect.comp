#version 450 core
// Collects the sprites of a tile; the largest cell is one tile. COUNT: only counts them. Else writes them, from the
// offset of the tile on.
layout(local_size_x = TILE, local_size_y = TILE) in;
#include "shaders/bokeh/bright_pixel.glsl"
#include "shaders/bokeh/first.glsl"
// The number of sprites of each tile, then their exclusive scan.
layout(std430, binding = 0) buffer Tiles { uint tiles[]; };
layout(binding = 0, rgba32f) writeonly uniform image2D sprites;

shared Highlight highlights[TILE][TILE];
shared uint leads[TILE * TILE];  // number of sprites of which the pixel is the first
shared uint count;

float radiusAt(ivec2 pixel) { return highlights[pixel.y][pixel.x].radius; }

#if !COUNT
void writeSprite(uint place, ivec2 pixel, ivec2 at, uint parity) {
  uint kind = highlightKind(radiusAt(at), parity);
  int side = 1 << cellLevel(kind);
  ivec2 from = at & -side;
  BokehMoments sum = noMoments();
  for (int y = from.y; y < from.y + side; ++y)
    for (int x = from.x; x < from.x + side; ++x)
      if (highlightKind(highlights[y][x].radius, parity) == kind)
        sum = withHighlight(sum, highlights[y][x], kindPart(highlights[y][x].radius, parity), vec2(x, y) - vec2(at));
  SpriteTexels texels = spriteTexels(sum, vec2(pixel), texelFetch(depth, pixel, 0).x);
  ivec2 texel = ivec2(int(place % SPRITES_PER_ROW) * 3, int(place / SPRITES_PER_ROW));
  imageStore(sprites, texel, texels.place);
  imageStore(sprites, texel + ivec2(1, 0), texels.light);
  imageStore(sprites, texel + ivec2(2, 0), texels.shape);
}
#endif

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), at = ivec2(gl_LocalInvocationID.xy);
  uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, local = gl_LocalInvocationIndex;
  Highlight mine = Highlight(0.0, vec3(0.0));
  if (all(lessThan(pixel, textureSize(colour, 0)))) mine = highlightAt(pixel);
  highlights[at.y][at.x] = mine;
  if (local == 0u) count = 0u;
  barrier();
  bool first[2];
  for (uint parity = 0u; parity < 2u; ++parity) first[parity] = mine.radius != 0.0 && isFirst(at, TILE, parity);
  uint led = uint(first[0]) + uint(first[1]);
#if COUNT
  if (led > 0u) atomicAdd(count, led);
  barrier();
  if (local == 0u) tiles[tile] = count;
#else
  leads[local] = led;
  barrier();
  if (led == 0u) return;
  uint place = tiles[tile];
  for (uint i = 0u; i < local; ++i) place += leads[i];
  for (uint parity = 0u; parity < 2u; ++parity)
    if (first[parity] && place < CAPACITY) writeSprite(place++, pixel, at, parity);
#endif
}
