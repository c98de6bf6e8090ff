#pragma once
#include <memory>
#include <optional>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Tiles of 32x64, 64x64 and 128x64 pixels of half floats; of integers at most 64x64.
enum class FusedShape { small, medium, large };
inline constexpr FusedShape kFusedShapes[] = {FusedShape::small, FusedShape::medium, FusedShape::large};

// The largest of which two fit a multiprocessor and the image fills the card, else small.
FusedShape fusedShapeFor(const TableOptions& options);

// Scan::fused: the whole table in a single pass, with neither planes nor transposes in memory. Tiles exchange
// the sums of their rows and columns by decoupled look-back in two dimensions (after Merrill and Garland
// 2016). Cost: 1 read, 1 write, and 8 bytes a channel for every row and column of every tile, which mostly
// stay in the L2 cache. Builds on one stream at a time. Throws as makeTableBuilder() does.
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options,
                                                    std::optional<FusedShape> shape = {});

}  // namespace satdof::cuda
