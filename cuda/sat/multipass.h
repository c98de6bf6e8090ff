#pragma once
#include <memory>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// The pipeline of GPU Gems 3, 39.3.2, with any scan except Scan::fused: de-interleave into planes, scan rows,
// transpose, scan rows, interleave. The table stays transposed. Throws as makeTableBuilder(). Cost: the image
// read once, the planes written and read four times, the table written once.
std::unique_ptr<TableBuilder> makeMultipassTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
