// Finds the sprites that no surface hides, from the nearest depth of each tile of kDepthTilePx x kDepthTilePx pixels.
// GLSL programs define, before they include this file, the function
//   float tileDepthAt(ivec2 tile)   largest nearM / z of the tile
// C++ and CUDA pass tiles with this member.
#include "shaders/bokeh/sprite_rule.glsl"
#ifdef __cplusplus
#define TILES_FUNCTION template <class Tiles>
#define TILES const Tiles& tiles,
#define PASS tiles,
#define TILE_DEPTH tiles.tileDepthAt
#else
#define TILES_FUNCTION
#define TILES
#define PASS
#define TILE_DEPTH tileDepthAt
#endif

const int kDepthTilePx = 16;
const int kMaxDepthTiles = 256;  // to read for one sprite; a sprite that needs more counts as hidden

// Whether reachingPart() may be below 1 anywhere on a sprite at s: whether its rays cross a tile with a surface near
// enough. `reach`: half the width and height of the sprite. `nearest`, `margin`: see passingPart() and ownSurfaces().
TILES_FUNCTION SHADER_FUNCTION bool mayBeHidden(TILES ThinLens lens, ivec2 tileCount, vec2 s, float spriteRadius,
                                                vec2 reach, float nearest, float margin) {
  float own = ownSurfaces(spriteRadius, margin);
  float farthest = max(abs(1.0f - nearest / spriteRadius), own / abs(spriteRadius));  // see rayAt()
  // Wider than the lights of the sprite.
  vec2 soft = max(reach - abs(spriteRadius) * vec2(lens.anamorphicRatio, 1.0f), vec2(0.0f));
  vec2 around = reach * farthest + soft + 2.0f, last = vec2(tileCount) - 1.0f;
  ivec2 low = ivec2(clamp((s - around) / float(kDepthTilePx), vec2(0.0f), last));
  ivec2 high = ivec2(clamp((s + around) / float(kDepthTilePx), vec2(0.0f), last));
  if ((high.x - low.x + 1) * (high.y - low.y + 1) > kMaxDepthTiles) return true;
  float depth = 0.0f;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) depth = max(depth, TILE_DEPTH(ivec2(x, y)));
  return signedRadius(lens, depth) < spriteRadius - own;
}

// The prepared sprite for the three texels of a BokehSprite.
TILES_FUNCTION SHADER_FUNCTION PreparedSprite preparedSprite(TILES SpriteRule rule, ivec2 tileCount, vec4 place,
                                                             vec4 light, vec4 shape) {
  Aperture aperture = rule.aperture;
  vec3 variance = vec3(shape.x, shape.y, shape.z);
  float radius = place.z * aperture.scale, reach = apertureReach(aperture, radius, variance);
  bool hidden =
      rule.scattered != 0 && mayBeHidden(PASS rule.lens, tileCount, vec2(place.x, place.y), place.z,
                                         reach * vec2(aperture.anamorphicRatio, 1.0f), rule.nearest, rule.margin);
  PreparedSprite sprite;
  sprite.place = vec4(place.x, place.y, place.z, reach);
  sprite.light = vec4(vec3(light.x, light.y, light.z) / apertureArea(aperture, radius, variance), hidden ? 1.0f : 0.0f);
  sprite.shape = vec4(variance, apertureSolid(aperture, radius, reach));
  return sprite;
}

#undef TILES_FUNCTION
#undef TILES
#undef PASS
#undef TILE_DEPTH
