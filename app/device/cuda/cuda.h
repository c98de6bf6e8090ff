#pragma once
#include "app/device/device.h"

// CUDA: OpenGL textures are reached through interop, or by copies where that is refused. Compiled only with
// SATDOF_HAS_CUDA.
namespace satdof {

// Available with the card's name, or not with the reason.
Availability cudaAvailability();

std::unique_ptr<TableBuilder> makeCudaTableBuilder(const TableSpec& spec);
// Scatter and table in one crossing: the differences never leave CUDA.
std::unique_ptr<NearScatter> makeCudaNearScatter(const TableSpec& spec);
// Compacts with spec.compaction and sorts with spec.sort, far to near.
std::unique_ptr<BokehCollector> makeCudaBokehCollector(const BokehSpec& spec, unsigned capacity);

}  // namespace satdof
