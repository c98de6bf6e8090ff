#pragma once
#include <memory>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// How the sums of tiles travel to the tiles right of and below them.
enum class FusedDesign {
  twoPass,     // reduce the tiles, scan their sums, read the picture again and write: 2 reads, 1 write
  singlePass,  // decoupled look-back along rows and columns (Merrill and Garland 2016): 1 read, 1 write
};

// Scan::fused: the whole table without planes or transposes in memory. Builds on one stream at a time. Throws
// as makeTableBuilder() does.
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options);
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options, FusedDesign design);

}  // namespace satdof::cuda
