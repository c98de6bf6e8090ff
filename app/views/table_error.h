#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// The table-error view. Left: the image by an exact (uint32) table. Right: the difference from the image by a
// float table. The float table has technique.table.format, or float32 if the technique has uint32. Both
// tables run on the technique's device. The blur is the gems lens if the technique has the gems lens, else
// the box lens. Throws std::runtime_error if the device is not available.
std::unique_ptr<Lens> makeTableErrorLens(const Technique& technique);

}  // namespace satdof
