#pragma once
#include <memory>

#include "app/device/bokeh_collector.h"
#include "app/lens/lens.h"

namespace satdof {

// `lens`, with bright pixels out of focus drawn as bokeh sprites. The light of a pixel beyond the threshold
// is taken from the image before `lens` blurs it and spread evenly over a disc or polygon, additively, behind
// what hides it. One sprite stands for the bright pixels of a cell (shaders/bokeh/bokeh.glsl): their light,
// its centre and its variance (soft edges). Energy is conserved except for light that is hidden or leaves the
// image. Costs one pass over the image, and blending of up to 50 times the area of the bright pixels (radii
// up to 64). The image is half float: n overlapping sprites are right to n 2^-11. Of more sprites than the
// capacity the topmost are dropped, light included.
std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector,
                                NearField nearField);

}  // namespace satdof
