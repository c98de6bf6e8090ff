#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// A work group (OpenGL) or block (CUDA) adds bokeh sprites to a tile of kSpriteTilePx x kSpriteTilePx pixels.
// kSpriteParts neighbouring threads share a pixel: each adds every kSpriteParts-th sprite.
inline constexpr int kSpriteTilePx = 8, kSpriteParts = 4;

// Bins are squares of pixels. Each has a list of the sprites that reach it.
struct SpriteBins {
  int sidePx = 0;  // a multiple of kSpriteTilePx
  int columns = 0, count = 0;
};

inline constexpr int kMinSpriteBinPx = 64, kMaxSpriteBins = 1024;
inline constexpr unsigned kSpriteIndices = 1 << 22;  // length of the lists of all bins together

// The bins of an image: at most `most`, with sides of kMinSpriteBinPx times the least power of two that suffices.
inline SpriteBins spriteBins(glsl::ivec2 size, int most = kMaxSpriteBins) {
  SpriteBins bins{.sidePx = kMinSpriteBinPx};
  for (;; bins.sidePx *= 2) {
    bins.columns = (size.x + bins.sidePx - 1) / bins.sidePx;
    bins.count = bins.columns * ((size.y + bins.sidePx - 1) / bins.sidePx);
    if (bins.count <= most) return bins;
  }
}

}  // namespace satdof
