#pragma once
#include <memory>
#include <optional>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Tiles of 32 x 64, 64 x 64 and 128 x 64 pixels. Integer images use medium tiles in place of large ones.
enum class FusedShape { small, medium, large };
inline constexpr FusedShape kFusedShapes[] = {FusedShape::small, FusedShape::medium, FusedShape::large};

// The largest shape for which two blocks fit a multiprocessor and the image has at least one tile per
// multiprocessor; else small.
FusedShape fusedShapeFor(const TableOptions& options);

// Scan::fused: the whole table in a single pass, without planes or transposes in memory. Tiles exchange the
// sums of their rows and columns by decoupled look-back in two dimensions (after Merrill and Garland 2016).
// Cost: 1 read and 1 write per pixel, and 8 bytes per channel for every row and every column of a tile, which
// mostly stay in the L2 cache. `shape`: default fusedShapeFor(). Throws as makeTableBuilder().
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options, std::optional<FusedShape> shape = {});

}  // namespace satdof::cuda
