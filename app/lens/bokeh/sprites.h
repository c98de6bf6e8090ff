#pragma once
#include <memory>
#include <span>

#include "app/device/bokeh_collector.h"
#include "app/device/scene_frame.h"
#include "app/gl/objects.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

// The sprites of one layer.
struct SpriteLayer {
  BokehDraw found;
  SpriteRule rule;
  const gl::Texture* aperture = nullptr;  // ApertureImage::table(), if the rule has an image
};

// The image, the second layer, and the blended surfaces behind and in front of the focus plane.
inline constexpr std::size_t kMaxSpriteLayers = 4;

// Draws bokeh sprites in OpenGL: adds the light of each sprite over the image of the aperture, where no surface hides
// the sprite.
class SpritePass {
 public:
  virtual ~SpritePass() = default;
  // Adds at most kMaxSpriteLayers layers to `output`, in their order. Leaves alpha unchanged. `depth`: of the scene.
  // `back`: the blended surfaces behind the focus plane, which dim the sprites behind them; read if SpriteRule::blended
  // is set.
  virtual void draw(std::span<const SpriteLayer> layers, const gl::Texture& depth, const BlendedLayer& back,
                    const gl::Target& output, Timings& timings) = 0;
};

// Returns the faster of the passes below: in fragment shaders on software OpenGL, else in compute shaders.
std::unique_ptr<SpritePass> makeSpritePass();

// Draws an octagon for every sprite with additive blending.
std::unique_ptr<SpritePass> makeFragmentSpritePass();

// Adds sprites in compute shaders, as cuda/lens/sprites.h. A bin is a square of tiles with a list of the sprites that
// reach it. A work group adds the sprites in the list of its bin to one tile of pixels, in float and in a fixed order,
// so runs are bit-identical. Cost: one test for each sprite and bin, and one evaluation for each sprite and pixel of
// the tiles that the sprite reaches. `indices`: the length of the lists of all bins together, 4 bytes an entry. The
// tiles of a bin whose list is too short test every sprite.
std::unique_ptr<SpritePass> makeComputeSpritePass(unsigned indices = kSpriteIndices);

}  // namespace satdof
