#pragma once
#include <memory>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Multipass, as in GPU Gems 3, 39.3.2, with any scan except Scan::fused: de-interleave into planes, scan
// rows, transpose, scan rows, interleave. The table is transposed. Cost: the image is read once, the planes
// are written and read four times (with a scan of n reads and n writes), the table is written once. Throws as
// makeTableBuilder().
std::unique_ptr<TableBuilder> makeMultipassTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
