#pragma once
#include <memory>
#include <span>

#include "app/device/bokeh_collector.h"
#include "app/lens/lens.h"
#include "shaders/bokeh/bins.h"

namespace satdof {

// A surface hides a sprite if its radius of blur is smaller by this much: the image also shows the surface that the
// light of the sprite comes from. The lights of the second layer are not in the image.
inline constexpr float kOwnSurfacePx = 1.0f;

// Draws bokeh sprites in OpenGL: adds the light of each, evenly over the image of the aperture, behind the surfaces that
// hide it.
class SpritePass {
 public:
  virtual ~SpritePass() = default;
  // Adds the sprites of `found`, of the image and of the second layer, to `output`, or to black for
  // LensImage::sprites; nothing for other images but LensImage::blurred. `panes`: the blended surfaces behind the focus plane,
  // which dim the sprites behind them; null colour: none. Leaves alpha unchanged.
  virtual void draw(const LensInputs& inputs, NearField nearField, std::span<const BokehDraw> found,
                    const BlendedLayer& panes, const gl::Target& output, Timings& timings) = 0;
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

// Which pixels of a scene become sprites.
BokehRule bokehRule(const LensInputs& inputs);

}  // namespace satdof
