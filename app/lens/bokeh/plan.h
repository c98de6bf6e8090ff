#pragma once
#include "app/lens/graph.h"
#include "app/lens/lens_image.h"

namespace satdof {

// A surface hides a sprite if its radius of blur is smaller by this much: the image also shows the surface that the
// light of the sprite comes from. The lights of the second layer are not in the image.
inline constexpr float kOwnSurfacePx = 1.0f;

// Which pixels of a scene become sprites.
BokehRule bokehRule(const LensSettings& lens, const SceneFacts& scene);

// How the sprites of one layer are added. `added`: of the second layer or of blended surfaces; else of the image. `blended`: blended
// surfaces are layers of their own.
SpriteRule spriteRule(const LensSettings& lens, const SceneFacts& scene, NearField nearField, bool added,
                      bool blended);

// Replaces each layer that the graph reads by the layer without highlights, and adds the highlights to the output as sprites:
// to the image (LensImage::blurred), to black (LensImage::sprites), or not at all (other images).
void addSprites(LensGraph& graph, const LensFacts& facts, NearField nearField, LensImage image);

}  // namespace satdof
