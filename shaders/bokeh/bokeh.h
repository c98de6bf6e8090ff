#pragma once
#include "shaders/lens/thin_lens.h"

// Bokeh sprites: images of the aperture for bright pixels out of focus (highlights). One sprite stands for
// the highlights of one kind in one cell: see shaders/bokeh/bokeh.glsl.
namespace satdof {

// Which pixels become bokeh sprites. threshold (luminance), minRadiusPx and maxRadiusPx are > 0, see highlightPart().
struct alignas(16) BokehRule {
  ThinLens lens;
  float threshold = 1.0f;
  float minRadiusPx = 0.5f;
  float maxRadiusPx = glsl::widestRadiusPx();
  bool operator==(const BokehRule&) const = default;
};

struct BokehSprite {
  // Centre of the light. Row 0 is at the bottom; pixel (0, 0) has its centre at (0.5, 0.5).
  float xPx = 0.0f, yPx = 0.0f;
  float radiusPx = 0.0f;               // signed, positive behind the focus plane; mean over the light
  float depth = 0.0f;                  // nearM / z of the first pixel: lowest row, then lowest column
  float r = 0.0f, g = 0.0f, b = 0.0f;  // linear light of the whole sprite; divide by the area in pixels
  float pixels = 0.0f;                 // number of highlights that contribute to the sprite
  // Second central moments of the light at the pixel centres, in square pixels. 0 for one pixel.
  float varianceX = 0.0f, covariance = 0.0f, varianceY = 0.0f;
  float luminance = 0.0f;
};

// Sprites on a device are two textures. RGBA32F: sprite i has the texel (3 (i mod kSpritesPerRow), i / kSpritesPerRow)
// and the next two. RGBA32UI, one texel: the command of glDrawArraysIndirect, {kSpriteVertices, number of sprites, 0,
// 0}.
inline constexpr unsigned kBokehCapacity = 1 << 16;  // sprites
inline constexpr unsigned kSpritesPerRow = 512;
inline constexpr unsigned kSpriteTexels = 3;
inline constexpr unsigned kSpriteVertices = 8;
static_assert(sizeof(BokehSprite) == kSpriteTexels * 16);
inline constexpr unsigned kMaxCellPx = 16;
constexpr unsigned spriteRows(unsigned capacity) { return (capacity + kSpritesPerRow - 1) / kSpritesPerRow; }

namespace glsl {
#include "shaders/bokeh/first.glsl"
}  // namespace glsl

}  // namespace satdof
