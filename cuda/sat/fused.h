#pragma once
#include <memory>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Scan::fused: the whole table without planes or transposes in memory. Throws as makeTableBuilder() does.
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
