#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Near pixels scatter (a summed-area table in reverse), the hole behind them filled, the far field gathered
// with weights so that nothing in focus leaks; the near field over the rest. With two layers the scene behind
// the nearest surface is drawn as well (LensInputs::redraw) and stands where the hole would be filled. Two
// tables, and one at half the resolution for the fill, each a constant number of look-ups or additions a
// pixel: 4 (2K - 1) corners for a staircase disc of K steps, twice for fractional radii. Tables are uint32
// whatever technique.format says: scattering is exact in integers only.
std::unique_ptr<Lens> makeLayeredLens(const Technique& technique);

}  // namespace satdof
