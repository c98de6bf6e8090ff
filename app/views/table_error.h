#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// The view table-error: left the image that an exact (uint32) table gives, right how far that of a float
// table is from it. The float table has technique.table.format, or float32 where that is uint32; both have
// the technique's device, and are looked up as by the gems lens where that is chosen, else as by the box
// lens. Throws std::runtime_error when the device is not available.
std::unique_ptr<Lens> makeTableErrorLens(const Technique& technique);

}  // namespace satdof
