#version 450 core
// Prepares every sprite for shaders/bokeh/add.comp.
layout(local_size_x = THREADS) in;
layout(binding = 0) uniform sampler2D sprites;  // see shaders/bokeh/bokeh.h
layout(binding = 2) uniform sampler2D depthTiles;
float tileDepthAt(ivec2 tile) { return texelFetch(depthTiles, tile, 0).x; }
#include "shaders/bokeh/aperture.glsl"
#include "shaders/bokeh/depth_tiles.glsl"
#include "shaders/bokeh/prepared.glsl"
uniform ThinLens lens;
uniform int blades;
uniform float turn;
uniform bool scattered;  // the near field
uniform float nearest;   // radius of the nearest surface
uniform float margin;    // see reachingPart()

void main() {
  Aperture aperture = Aperture(blades, turn, lens.anamorphicRatio);
  for (uint i = gl_GlobalInvocationID.x; i < spriteCount(); i += gl_NumWorkGroups.x * THREADS) {
    ivec2 texel = ivec2(i % SPRITES_PER_ROW * 3u, i / SPRITES_PER_ROW);
    vec4 place = texelFetch(sprites, texel, 0), light = texelFetch(sprites, texel + ivec2(1, 0), 0);
    vec3 variance = texelFetch(sprites, texel + ivec2(2, 0), 0).xyz;
    float reach = apertureReach(aperture, place.z, variance);
    bool hidden = scattered && mayBeHidden(lens, textureSize(depthTiles, 0), place.xy, place.z,
                                           reach * vec2(lens.anamorphicRatio, 1.0), nearest, margin);
    places[i] = vec4(place.xyz, reach);
    lights[i] = vec4(light.rgb / apertureArea(aperture, place.z, variance), float(hidden));
    shapes[i] = vec4(variance, apertureSolid(aperture, place.z, reach));
  }
}
