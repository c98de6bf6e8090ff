#pragma once
#include <functional>
#include <memory>

#include "app/device/bokeh_collector.h"
#include "app/lens/lens.h"

namespace satdof {

// Draws bright pixels out of focus as bokeh sprites, and the rest of the image with `lens`. The light of a
// pixel above the threshold is removed before `lens` blurs the image. A sprite adds this light evenly over a
// disc or polygon, behind the surfaces that hide it. One sprite stands for the bright pixels of a cell
// (shaders/bokeh/bokeh.glsl): their light, its centre and its variance (soft edges). Energy is conserved,
// except for light that is hidden or leaves the image. Cost: one pass over the image, and up to 50 times the area of the
// bright pixels in sprites (radii up to 64). A second layer that `lens` draws has sprites of its own, for lights that the
// image hides. Precision: the image is half float. In fragment shaders (makeSpritePass()) n overlapping sprites have a
// relative error of up to n 2^-11. An image with more sprites than the capacity gets none: its light stays.
std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens,
                                std::function<std::unique_ptr<BokehCollector>()> makeCollector,
                                NearField nearField);

}  // namespace satdof
