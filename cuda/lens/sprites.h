#pragma once
#include <memory>

#include "cuda/runtime/work.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/bokeh.h"
#include "shaders/bokeh/sprite.h"

namespace satdof::cuda {

// Arrays for surface load and store.
struct SpriteArrays {
  cudaArray* sprites = nullptr;  // of BokehArrays
  cudaArray* command = nullptr;  // of BokehArrays
  cudaArray* depth = nullptr;    // R32F, nearM / z
  cudaArray* image = nullptr;    // RGBA16F, read and written
  // The blended surfaces behind the focus plane (BlendedLayer in app/device/scene_frame.h). Read if SpriteRule::blended
  // is set.
  cudaArray* backColour = nullptr;
  cudaArray* backDepth = nullptr;
  cudaArray* aperture = nullptr;  // R32F, ApertureImage::table(). Read if Aperture::image is set
};

// Adds bokeh sprites to images of one size, as shaders/bokeh/add.comp. A bin is a square of tiles with a list of the
// sprites that reach it. A block adds the sprites of its bin to one tile of pixels, in float and in a fixed order, so
// runs are bit-identical. Cost: one test for each sprite and bin, and one evaluation for each sprite and pixel of the
// tiles that the sprite reaches. Calls do not allocate or wait, except for new arrays.
class Sprites : public Work {  // stage "sprites"
 public:
  virtual void draw(const SpriteArrays& arrays, const SpriteRule& rule, CUstream_st* stream) = 0;
};

// `indices`: the length of the lists of all bins together, 4 bytes an entry. The tiles of a bin whose list is too short
// test every sprite. Throws std::runtime_error if memory runs out.
std::unique_ptr<Sprites> makeSprites(int width, int height, unsigned capacity, unsigned indices = kSpriteIndices);

}  // namespace satdof::cuda
