#pragma once
#include <functional>
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Every pixel is replaced by the mean under a tent (r - |dx|)+ (r - |dy|)+ with the second moment of its
// circle of confusion, r^2 = 1 + 3/2 R^2, divided by the tent's weight inside the image. A tent is a box
// blurred by a box: the difference [1, -2, 1] x [1, -2, 1] at spacing r of the table of the table, nine
// look-ups, 18 for a fractional radius (Heckbert 1986, Filtering by Repeated Integration). Modulo 2^32 it is
// exact while r^4, its weight, times the largest element fits: wide tents leave few levels, 2^32 / r^4, which
// a dithered image hides. Below 2^8 of them the tables are those of an image of half the size; half-widths
// end where even that leaves fewer, at 128 pixels (R = 104). Tables are uint32 whatever technique.format
// says. Throws std::runtime_error when the technique's device is not available.
std::unique_ptr<Lens> makeTentLens(const Technique& technique);
std::unique_ptr<Lens> makeTentLens(const std::function<std::unique_ptr<TableBuilder>()>& makeBuilder);

}  // namespace satdof
