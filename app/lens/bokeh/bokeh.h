#pragma once
#include <memory>
#include <optional>

#include "app/lens/lens.h"

namespace satdof {

// What hides sprites besides the scene's surfaces: nothing, or a near field that the lens has spread over
// them, whose coverage is 1 - alpha of the lens's picture.
enum class NearField { gathered, spread };

// `lens`, with the light of highlights drawn as pictures of the aperture: what bright pixels out of focus
// have beyond the threshold is taken from the picture before `lens` blurs it, and spread evenly over a disc
// or polygon a sprite, additively, behind what hides it. Sprites stand for the bright pixels of a cell of
// shaders/bokeh/bokeh.glsl, with their light, its centre and its variance (soft edges). Energy is conserved
// but for what is hidden or leaves the picture. One pass over the picture before, and up to 50 times the area
// of the bright pixels (of radii up to 64). Sums are those of the picture's halves: n sprites over one
// another are right to n 2^-11. Of more than 65536 sprites the topmost are left out, and their light is lost.
// Without `nearField` or with method.highlights off, only `lens`. Throws std::runtime_error when the method's
// backend cannot collect highlights.
std::unique_ptr<Lens> withHighlights(std::unique_ptr<Lens> lens, const Method& method,
                                     std::optional<NearField> nearField);

// Whether withHighlights() has to be called anew.
bool needsNewHighlights(const Method& from, const Method& to);

}  // namespace satdof
