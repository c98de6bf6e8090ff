#version 450 core
// Prepares every sprite for shaders/bokeh/add.comp.
layout(local_size_x = THREADS) in;
layout(binding = 0) uniform sampler2D sprites;  // see shaders/bokeh/bokeh.h
layout(binding = 2) uniform sampler2D depthTiles;
float tileDepthAt(ivec2 tile) { return texelFetch(depthTiles, tile, 0).x; }
#include "shaders/bokeh/depth_tiles.glsl"
#include "shaders/bokeh/prepared.glsl"

void main() {
  for (uint i = gl_GlobalInvocationID.x; i < spriteCount(); i += gl_NumWorkGroups.x * THREADS) {
    ivec2 texel = ivec2(i % SPRITES_PER_ROW * 3u, i / SPRITES_PER_ROW);
    PreparedSprite sprite =
        preparedSprite(rule, textureSize(depthTiles, 0), texelFetch(sprites, texel, 0),
                       texelFetch(sprites, texel + ivec2(1, 0), 0), texelFetch(sprites, texel + ivec2(2, 0), 0));
    places[i] = sprite.place;
    lights[i] = sprite.light;
    shapes[i] = sprite.shape;
  }
}
