#pragma once
#include "shaders/lens/thin_lens.h"

// Highlights: bright pixels out of focus, drawn as sprites, one for all those of one kind in one cell: see
// shaders/bokeh/bokeh.glsl. Plain C++, shared with the collection on the processor.
namespace satdof {

// Which pixels become bokeh sprites: threshold and minRadiusPx, both > 0, are those of highlightPart() in
// shaders/bokeh/bokeh.glsl.
struct BokehRule {
  ThinLens lens;
  float threshold = 1.0f;
  float minRadiusPx = 2.0f;
  bool operator==(const BokehRule&) const = default;
};

struct BokehSprite {
  float xPx = 0.0f, yPx = 0.0f;  // centre of its light, row 0 at the bottom: the first pixel's is (0.5, 0.5)
  float radiusPx = 0.0f;         // signed, positive behind the focus plane; the mean of its light
  float depth = 0.0f;            // nearM / z of its first pixel: lowest row, then lowest column
  float r = 0.0f, g = 0.0f,
        b = 0.0f;          // linear light of the whole sprite, to be divided by its area in pixels
  float pixels = 0.0f;     // that it stands for
  float varianceX = 0.0f;  // of the light at their centres, in square pixels: 0 for one
  float covariance = 0.0f;
  float varianceY = 0.0f;
  float luminance = 0.0f;
};

// Sprites for OpenGL: an RGBA32F texture in which sprite i is the texel (3 (i mod kSpritesPerRow), i /
// kSpritesPerRow) and the next two, and an RGBA32UI texture of one texel, glDrawArraysIndirect's
// {kSpriteVertices, number of sprites, 0, 0}.
inline constexpr unsigned kSpritesPerRow = 512;
inline constexpr unsigned kSpriteTexels = 3;
inline constexpr unsigned kSpriteVertices = 8;
static_assert(sizeof(BokehSprite) == kSpriteTexels * 16);
inline constexpr unsigned kLargestCellPx = 16;
constexpr unsigned spriteRows(unsigned capacity) { return (capacity + kSpritesPerRow - 1) / kSpritesPerRow; }

namespace glsl {
#include "shaders/bokeh/bokeh.glsl"
}  // namespace glsl

}  // namespace satdof
