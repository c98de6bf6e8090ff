#version 450 core
layout(binding = 2) uniform sampler2D depthTiles;
float tileDepthAt(ivec2 tile) { return texelFetch(depthTiles, tile, 0).x; }
#include "shaders/bokeh/aperture.glsl"
#include "shaders/bokeh/depth_tiles.glsl"

// The corners of an octagon around sprite gl_InstanceID, in the order 0 1 7 2 6 3 5 4 of a strip. shaders/bokeh/bokeh.h
// describes the texels of a sprite.
layout(binding = 0) uniform sampler2D sprites;
uniform ThinLens lens;
uniform int blades;
uniform float turn;
uniform vec2 size;
uniform int spritesPerRow;
uniform bool scattered;  // the near field
uniform float nearest;  // radius of the nearest surface
uniform float margin;   // see reachingPart()
uniform vec2 sides;   // 1 to draw sprites in front of the focus plane, behind it; else 0
flat out vec3 place;  // centre and signed radius, pixels
flat out vec3 variance;  // along x, covariance, along y
flat out vec3 light;  // of each covered pixel
flat out int hidden;  // a surface may hide a part

void main() {
  Aperture aperture = Aperture(blades, turn, lens.anamorphicRatio);
  ivec2 texel = ivec2(gl_InstanceID % spritesPerRow * 3, gl_InstanceID / spritesPerRow);
  place = texelFetch(sprites, texel, 0).xyz;
  variance = texelFetch(sprites, texel + ivec2(2, 0), 0).xyz;
  light = texelFetch(sprites, texel + ivec2(1, 0), 0).rgb / apertureArea(aperture, place.z, variance);
  int corner = (gl_VertexID & 1) == 1 ? (gl_VertexID + 1) / 2 : 8 - gl_VertexID / 2;
  float angle = (float(corner) + 0.5) * kPi / 4.0;
  vec2 reach = apertureReach(aperture, place.z, variance) * vec2(lens.anamorphicRatio, 1.0);
  hidden = int(scattered && mayBeHidden(lens, textureSize(depthTiles, 0), place.xy, place.z, reach, nearest, margin));
  float side = place.z < 0.0 ? sides.x : sides.y;
  vec2 at = place.xy + side * reach / cos(kPi / 8.0) * vec2(cos(angle), sin(angle));
  gl_Position = vec4(at / size * 2.0 - 1.0, 0.0, 1.0);
}
