#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Draws the scene in layers. Near pixels scatter their light (a summed-area table in reverse). The hole
// behind near pixels is filled. The far field is gathered with weights, so that nothing in focus leaks into
// it. The near field is blended over the far field. With two layers, the scene behind the nearest surface is
// drawn too (LensInputs::redraw) and replaces the fill. Cost: two tables, and a pyramid for the fill. A table
// takes a constant number of look-ups or additions a pixel: 4 (2K - 1) corners for a staircase disc of K steps,
// twice for fractional radii. The pyramid takes 4/3 of a pass at half the resolution. Tables are uint32
// whatever technique.table.format says, because only integers scatter exactly.
std::unique_ptr<Lens> makeLayeredLens(const Technique& technique);

}  // namespace satdof
