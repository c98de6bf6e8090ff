#pragma once
#include <memory>

#include "cuda/runtime/work.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/bokeh.h"
#include "shaders/bokeh/sprite.h"

namespace satdof::cuda {

// Arrays for surface load and store.
struct SpriteArrays {
  cudaArray* sprites = nullptr;  // and the command: as BokehCollector writes them
  cudaArray* command = nullptr;
  cudaArray* depth = nullptr;  // R32F, nearM / z
  cudaArray* image = nullptr;  // RGBA16F, read and written
  // The blended surfaces behind the focus plane, BlendedLayer in app/device/scene_frame.h, if the rule has any.
  cudaArray* backColour = nullptr;
  cudaArray* backDepth = nullptr;
  cudaArray* aperture = nullptr;  // R32F, sums of the light of the aperture's image, if the rule has one
};

// Adds bokeh sprites to images of one size, as shaders/bokeh/add.comp. A block a tile of pixels takes the sprites of
// its bin, a larger square, that reach the tile. Sprites are added in a fixed order, in float, so runs are bit-identical.
// Cost: sprites x bins tests, and one evaluation for each sprite and pixel of the tiles that it reaches. No call
// allocates or waits, except the first with new arrays.
class Sprites : public Work {  // stage "sprites"
 public:
  virtual void draw(const SpriteArrays& arrays, const SpriteRule& rule, CUstream_st* stream) = 0;
};

// `indices`: the length of the lists of all bins together, 4 bytes each; the tiles of a bin with more sprites than its list
// holds test every sprite. Throws std::runtime_error if memory runs out.
std::unique_ptr<Sprites> makeSprites(int width, int height, unsigned capacity,
                                     unsigned indices = kSpriteIndices);

}  // namespace satdof::cuda
