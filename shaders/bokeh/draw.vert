#version 450 core
layout(binding = 2) uniform sampler2D depthTiles;
float tileDepthAt(ivec2 tile) { return texelFetch(depthTiles, tile, 0).x; }
#include "shaders/bokeh/depth_tiles.glsl"
layout(std140, binding = 0) uniform Rule { SpriteRule rule; };

// The corners of an octagon around sprite gl_InstanceID, in the order 0 1 7 2 6 3 5 4 of a strip. shaders/bokeh/bokeh.h
// describes the texels of a sprite.
layout(binding = 0) uniform sampler2D sprites;
layout(binding = 1) uniform sampler2D depth;
uniform vec2 sides;  // 1 to draw sprites in front of the focus plane, behind it; else 0
flat out vec4 place, light, shape;  // of PreparedSprite

void main() {
  ivec2 texel = ivec2(gl_InstanceID % SPRITES_PER_ROW * 3, gl_InstanceID / SPRITES_PER_ROW);
  PreparedSprite sprite =
      preparedSprite(rule, textureSize(depthTiles, 0), texelFetch(sprites, texel, 0),
                     texelFetch(sprites, texel + ivec2(1, 0), 0), texelFetch(sprites, texel + ivec2(2, 0), 0));
  place = sprite.place;
  light = sprite.light;
  shape = sprite.shape;
  int corner = (gl_VertexID & 1) == 1 ? (gl_VertexID + 1) / 2 : 8 - gl_VertexID / 2;
  float angle = (float(corner) + 0.5) * kPi / 4.0;
  vec2 reach = place.w * vec2(rule.lens.anamorphicRatio, 1.0);
  float side = place.z < 0.0 ? sides.x : sides.y;
  vec2 at = place.xy + side * reach / cos(kPi / 8.0) * vec2(cos(angle), sin(angle));
  gl_Position = vec4(at / vec2(textureSize(depth, 0)) * 2.0 - 1.0, 0.0, 1.0);
}
