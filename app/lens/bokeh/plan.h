#pragma once
#include "app/lens/graph.h"
#include "app/lens/lens.h"

namespace satdof {

// A surface hides a sprite if its radius of blur is smaller by this much: the image also shows the surface that the
// light of the sprite comes from. The lights of the second layer are not in the image.
inline constexpr float kOwnSurfacePx = 1.0f;

// Which pixels of a scene become sprites.
BokehRule bokehRule(const LensSettings& lens, const SceneFacts& scene);

// `added`: the sprites are of the second layer or of blended surfaces, and added to those of the image. `blended`: the blended
// surfaces are layers of their own.
SpriteRule spriteRule(const LensSettings& lens, const SceneFacts& scene, NearField nearField, bool added,
                      bool blended);

// Takes the highlights from all layers that the graph reads, and adds them to the image as sprites; for LensImage::sprites, to black.
// Other images than these and LensImage::blurred have no sprites.
void addSprites(LensGraph& graph, const LensFacts& facts, NearField nearField, LensImage image);

}  // namespace satdof
