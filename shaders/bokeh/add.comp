#version 450 core
// Adds sprites to a tile of pixels. The work group takes the sprites of its bin that reach the tile, a chunk at a time.
// PARTS neighbouring invocations share a pixel: each adds every PARTS-th sprite.
layout(local_size_x = THREADS) in;
layout(binding = 0, rgba16f) uniform image2D image;
#include "shaders/bokeh/prepared.glsl"
#include "shaders/bokeh/rank.glsl"
#include "shaders/bokeh/scene.glsl"
#include "shaders/bokeh/sprite.glsl"

shared vec4 chunkPlaces[THREADS], chunkLights[THREADS], chunkShapes[THREADS];

struct Pixel {
  vec2 centre;
  float surface;  // radius of the scene; read if the near field is gathered
  float passing;  // the part of the light from behind the focus plane that passes the blended surfaces in front of it
};

vec3 lightAt(Pixel pixel, uint at, ivec2 size) {
  PreparedSprite sprite = PreparedSprite(chunkPlaces[at], chunkLights[at], chunkShapes[at]);
  float part = spriteCoverage(rule, sprite, pixel.centre);
  if (part <= 0.0) return vec3(0.0);
  return sprite.light.rgb * (part * spritePassing(rule, size, sprite, pixel.centre, pixel.surface));
}

// The sum over the sprites that this invocation adds.
vec3 sumOf(uint bin, ivec2 from, Pixel pixel, bool inside) {
  ivec2 size = textureSize(depth, 0);
  bool listed = counts[bin] <= listLength;
  uint candidates = listed ? counts[bin] : spriteCount(), thread = gl_LocalInvocationIndex;
  vec3 sum = vec3(0.0);
  for (uint first = 0u; first < candidates; first += THREADS) {
    uint i = first + thread, found;
    bool taken = false;
    vec4 place;
    if (i < candidates) {
      if (listed) i = indices[bin * listLength + i];
      place = places[i];
      taken = reaches(place.xy, place.w, rule.lens.anamorphicRatio, from, from + TILE);
    }
    uint at = rankOf(taken, found);
    if (taken) {
      chunkPlaces[at] = place;
      chunkLights[at] = lights[i];
      chunkShapes[at] = shapes[i];
    }
    barrier();
    if (inside)
      for (uint k = thread % PARTS; k < found; k += PARTS)
        sum += lightAt(pixel, k, size) * (chunkPlaces[k].z < 0.0 ? 1.0 : pixel.passing);
  }
  return sum;
}

void main() {
  ivec2 from = ivec2(gl_WorkGroupID.xy) * TILE, size = textureSize(depth, 0);
  uint bin = uint(from.y / binSide * binColumns + from.x / binSide), thread = gl_LocalInvocationIndex;
  if (counts[bin] == 0u && rule.alone == 0) return;
  int place = int(thread / PARTS);
  ivec2 p = from + ivec2(place % TILE, place / TILE);
  bool inside = all(lessThan(p, size));
  Pixel pixel = Pixel(vec2(p) + 0.5, 0.0, 1.0);
  if (inside && rule.scattered == 0) pixel.surface = signedRadius(rule.lens, depthAt(p));
  if (inside && rule.scattered != 0 && rule.blended != 0) pixel.passing = imageLoad(image, p).a;
  vec3 sum = sumOf(bin, from, pixel, inside);
#if PARTS > 1
  barrier();
  chunkLights[thread].rgb = sum;
  barrier();
  if (thread % PARTS != 0u) return;
  for (uint part = 1u; part < PARTS; ++part) sum += chunkLights[thread + part].rgb;
#endif
  if (!inside || (sum == vec3(0.0) && rule.alone == 0)) return;
  vec4 colour = imageLoad(image, p);
  imageStore(image, p, vec4(rule.alone != 0 ? sum : colour.rgb + sum, colour.a));
}
