#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Makes the table-error view. Its left half is the image by an exact uint32 table, its right half the difference from
// the image by a float table. The float table has the format technique.table.format, or float32 for uint32. Both tables
// run on the technique's device. Throws std::runtime_error if the device is not available.
std::unique_ptr<Lens> makeTableErrorLens(const Technique& technique);

}  // namespace satdof
