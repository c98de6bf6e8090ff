#pragma once

// Highlights: bright pixels out of focus, drawn as sprites. Plain C++, shared with the collection on the
// processor.
namespace satdof {

// Signed radius R = alpha d + beta in pixels at depth d = nearM / z, times nearScale where negative and
// farScale elsewhere. threshold and minRadiusPx, both > 0, are those of highlightPart() in
// shaders/highlights.glsl.
struct HighlightRule {
  float alpha = 0.0f;
  float beta = 0.0f;
  float nearScale = 1.0f;
  float farScale = 1.0f;
  float threshold = 1.0f;
  float minRadiusPx = 2.0f;
};

struct HighlightSprite {
  float xPx = 0.0f, yPx = 0.0f;  // centre, row 0 at the bottom: the first pixel's is (0.5, 0.5)
  float radiusPx = 0.0f;         // signed, positive behind the focus plane
  float depth = 0.0f;            // nearM / z
  float r = 0.0f, g = 0.0f,
        b = 0.0f;     // linear light of the whole sprite, to be divided by its area in pixels
  float part = 0.0f;  // of the pixel's light, 0 to 1
};

// Sprites for OpenGL: an RGBA32F texture in which sprite i is the texel (2 (i mod kSpritesPerRow), i /
// kSpritesPerRow) and the next one, and an RGBA32UI texture of one texel, glDrawArraysIndirect's {4, number
// of sprites, 0, 0}.
inline constexpr unsigned kSpritesPerRow = 512;
inline constexpr unsigned kSpriteTexels = 2;
static_assert(sizeof(HighlightSprite) == kSpriteTexels * 16);
constexpr unsigned spriteRows(unsigned capacity) { return (capacity + kSpritesPerRow - 1) / kSpritesPerRow; }

}  // namespace satdof
