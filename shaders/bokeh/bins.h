#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// A work group or block adds the bokeh sprites of a tile of kSpriteTilePx x kSpriteTilePx pixels. kSpriteParts neighbouring
// threads share a pixel: each adds every kSpriteParts-th sprite.
inline constexpr int kSpriteTilePx = 8, kSpriteParts = 4;

// Bins are squares of pixels with a list each of the sprites that reach them.
struct SpriteBins {
  int sidePx = 0;  // a multiple of kSpriteTilePx
  int columns = 0, count = 0;
};

inline constexpr int kSmallestSpriteBinPx = 64, kMostSpriteBins = 1024;
inline constexpr unsigned kSpriteIndices = 1 << 22;  // length of the lists of all bins together

// At most `most` bins of an image, with sides of kSmallestSpriteBinPx times the least power of two.
inline SpriteBins spriteBins(glsl::ivec2 size, int most = kMostSpriteBins) {
  SpriteBins bins{.sidePx = kSmallestSpriteBinPx};
  for (;; bins.sidePx *= 2) {
    bins.columns = (size.x + bins.sidePx - 1) / bins.sidePx;
    bins.count = bins.columns * ((size.y + bins.sidePx - 1) / bins.sidePx);
    if (bins.count <= most) return bins;
  }
}

}  // namespace satdof
