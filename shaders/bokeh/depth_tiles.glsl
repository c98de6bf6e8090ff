// Finds the sprites that nothing hides, from the nearest depth of each tile of kDepthTilePx x kDepthTilePx pixels. GLSL
// programs define, before they include this file, the function
//   float tileDepthAt(ivec2 tile)   nearM / z
// C++ and CUDA pass tiles with this member.
#include "shaders/bokeh/own_surfaces.glsl"
#include "shaders/lens/thin_lens.glsl"
#ifdef __cplusplus
#define TILES_FUNCTION template <class Tiles>
#define TILES const Tiles& tiles,
#define TILE_DEPTH tiles.tileDepthAt
#else
#define TILES_FUNCTION
#define TILES
#define TILE_DEPTH tileDepthAt
#endif

const int kDepthTilePx = 16;
const int kMostDepthTiles = 256;  // that are read for a sprite; one with more around it counts as hidden

// Whether reachingPart() may be less than 1 anywhere on a sprite at s: whether a tile that its rays cross is near enough.
// `reach`: half the width and height of the sprite; `nearest`, `margin`: see reachingPart().
TILES_FUNCTION SHADER_FUNCTION bool mayBeHidden(TILES ThinLens lens, ivec2 tileCount, vec2 s, float spriteRadius, vec2 reach,
                                                float nearest, float margin) {
  float own = ownSurfaces(spriteRadius, margin);
  float farthest = max(abs(1.0f - nearest / spriteRadius), own / abs(spriteRadius));  // see rayAt()
  vec2 soft = reach - abs(spriteRadius) * vec2(lens.anamorphicRatio, 1.0f);  // wider than the lights of the sprite
  vec2 around = reach * farthest + soft + 2.0f, last = vec2(tileCount) - 1.0f;
  ivec2 low = ivec2(clamp((s - around) / float(kDepthTilePx), vec2(0.0f), last));
  ivec2 high = ivec2(clamp((s + around) / float(kDepthTilePx), vec2(0.0f), last));
  if ((high.x - low.x + 1) * (high.y - low.y + 1) > kMostDepthTiles) return true;
  float depth = 0.0f;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) depth = max(depth, TILE_DEPTH(ivec2(x, y)));
  return signedRadius(lens, depth) < spriteRadius - own;
}

#undef TILES_FUNCTION
#undef TILES
#undef TILE_DEPTH
