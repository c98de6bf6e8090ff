#pragma once
#include <memory>
#include <optional>

#include "app/lens/lens.h"

namespace satdof {

// What hides sprites besides the scene's surfaces: nothing, or a near field that the lens has scatter over
// them, whose coverage is 1 - alpha of the lens's image.
enum class NearField { gathered, scatter };

// `lens`, with the light of highlights drawn as images of the aperture: what bright pixels out of focus
// have beyond the threshold is taken from the image before `lens` blurs it, and scatter evenly over a disc
// or polygon a sprite, additively, behind what hides it. Sprites stand for the bright pixels of a cell of
// shaders/bokeh/bokeh.glsl, with their light, its centre and its variance (soft edges). Energy is conserved
// but for what is hidden or leaves the image. One pass over the image before, and up to 50 times the area
// of the bright pixels (of radii up to 64). Sums are those of the image's halves: n sprites over one
// another are right to n 2^-11. Of more than 65536 sprites the topmost are left out, and their light is lost.
// Without `nearField` or with technique.highlights off, only `lens`. Throws std::runtime_error when the
// technique's device cannot collect highlights.
std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, const Technique& technique,
                                std::optional<NearField> nearField);

// Whether withBokeh() has to be called anew.
bool needsNewBokeh(const Technique& from, const Technique& to);

}  // namespace satdof
