#pragma once
#include "app/lens/graph.h"
#include "app/lens/lens_image.h"

namespace satdof {

// SpriteRule::margin of sprites of the image: the image also shows the surface that emits the light of a sprite, and
// this surface must not hide the sprite. The lights of other layers are not in the image.
inline constexpr float kOwnSurfacePx = 1.0f;

// The rule by which pixels of a scene become sprites.
BokehRule bokehRule(const LensSettings& lens, const SceneFacts& scene);

// The rule by which the sprites of one layer are added. `added`: the layer is the second layer or blended surfaces, not
// the image. `blended`: LensFacts::blended.
SpriteRule spriteRule(const LensSettings& lens, const SceneFacts& scene, NearField nearField, bool added, bool blended);

// Makes the graph read each layer without the light of its highlights, and add the highlights to the output as sprites:
// to the image (LensImage::blurred), to black (LensImage::sprites), or not at all (other images).
void addSprites(LensGraph& graph, const LensFacts& facts, NearField nearField, LensImage image);

}  // namespace satdof
