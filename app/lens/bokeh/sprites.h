#pragma once
#include <memory>
#include <span>

#include "app/device/bokeh_collector.h"
#include "app/device/scene_frame.h"
#include "app/gl/objects.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

// Sprites, and how they are added.
struct SpriteLayer {
  BokehDraw found;
  SpriteRule rule;
  const gl::Texture* aperture = nullptr;  // ApertureImage::table(), if the rule has an image
};

// Of the image, of the second layer and of the blended surfaces on both sides of the focus plane.
inline constexpr size_t kMostSpriteLayers = 4;

// Draws bokeh sprites in OpenGL: adds the light of each, evenly over the image of the aperture, behind the surfaces that
// hide it.
class SpritePass {
 public:
  virtual ~SpritePass() = default;
  // Adds at most kMostSpriteLayers layers to `output`, in their order. `depth`: of the scene. `panes`: the blended surfaces behind
  // the focus plane, which dim the sprites behind them, if the rules have any. Leaves alpha unchanged.
  virtual void draw(std::span<const SpriteLayer> layers, const gl::Texture& depth, const BlendedLayer& panes,
                    const gl::Target& output, Timings& timings) = 0;
};

// The faster of the passes below on this machine: in fragment shaders on software OpenGL, else in compute shaders.
std::unique_ptr<SpritePass> makeSpritePass();

// Blends an octagon for every sprite.
std::unique_ptr<SpritePass> makeFragmentSpritePass();

// Adds sprites in compute shaders, as cuda/lens/sprites.h: a work group adds the sprites of a tile of pixels, which it
// takes from the list of a bin, in float and in a fixed order, so runs are bit-identical. Cost: sprites x bins tests, and
// one evaluation for each sprite and pixel of the tiles that it reaches. `indices`: the length of the lists of all bins
// together, 4 bytes each; the tiles of a bin with more sprites than its list holds test every sprite.
std::unique_ptr<SpritePass> makeComputeSpritePass(unsigned indices = kSpriteIndices);

}  // namespace satdof
