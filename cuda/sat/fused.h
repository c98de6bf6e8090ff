#pragma once
#include <memory>
#include <optional>

#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// Tiles of 32x64, 64x64 and 128x64 pixels; for images of integers at most 64x64.
enum class FusedShape { small, medium, large };
inline constexpr FusedShape kFusedShapes[] = {FusedShape::small, FusedShape::medium, FusedShape::large};

// The largest shape of which two blocks fit a multiprocessor and the image has a tile for each
// multiprocessor, else small.
FusedShape fusedShapeFor(const TableOptions& options);

// Scan::fused: the whole table in a single pass, without planes or transposes in memory. Tiles exchange the
// sums of their rows and columns by decoupled look-back in two dimensions (after Merrill and Garland 2016).
// Cost: 1 read, 1 write, and 8 bytes a channel for every row and column of every tile, which mostly stay in
// the L2 cache. Throws as makeTableBuilder().
std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options,
                                                    std::optional<FusedShape> shape = {});

}  // namespace satdof::cuda
