// Reads a pyramid of cells like a texture with mipmaps, but with weights in float: texture units have weights of eight
// bits. In GLSL a pyramid is a sampler. C++ and CUDA pass any type with these functions in its namespace:
//   vec4 cellAt(const Levels& pyramid, ivec2 cell, int level)
//   ivec2 sizeOf(const Levels& pyramid, int level)
#ifndef SHADERS_LENS_LAYERED_LEVELS_GLSL
#define SHADERS_LENS_LAYERED_LEVELS_GLSL
#include "shaders/lens/layered/fill.glsl"
#ifdef __cplusplus
#define LEVELS_FUNCTION template <class Levels>
#else
#define LEVELS_FUNCTION
#define Levels sampler2D
vec4 cellAt(sampler2D pyramid, ivec2 cell, int level) { return texelFetch(pyramid, cell, level); }
// Not textureSize(pyramid, level): llvmpipe takes one level for several pixels.
ivec2 sizeOf(sampler2D pyramid, int level) { return textureSize(pyramid, 0) >> level; }
#endif

// The value of a level at a place `at` in pixels of the image, bilinear between cells.
LEVELS_FUNCTION SHADER_FUNCTION vec4 ofLevel(Levels pyramid, vec2 at, int level) {
  vec2 place = at / float(2 << level) - 0.5f;
  ivec2 low = ivec2(floor(place)), last = sizeOf(pyramid, level) - 1;
  vec2 f = place - vec2(low);
  ivec2 first = clamp(low, ivec2(0), last), second = clamp(low + 1, ivec2(0), last);
  vec4 below = mix(cellAt(pyramid, first, level), cellAt(pyramid, ivec2(second.x, first.y), level), f.x);
  vec4 above = mix(cellAt(pyramid, ivec2(first.x, second.y), level), cellAt(pyramid, second, level), f.x);
  return mix(below, above, f.y);
}

// The value of a fractional level, linear between two levels.
LEVELS_FUNCTION SHADER_FUNCTION vec4 atLevel(Levels pyramid, vec2 at, float level) {
  float clamped = clamp(level, 0.0f, float(kFillLevels - 1));
  int fine = int(clamped);
  float coarser = clamped - float(fine);
  vec4 cells = ofLevel(pyramid, at, fine);
  return coarser > 0.0f ? mix(cells, ofLevel(pyramid, at, fine + 1), coarser) : cells;
}

#endif
