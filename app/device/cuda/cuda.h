#pragma once
#include "app/device/device.h"

// The CUDA device. OpenGL textures are mapped through interop, or copied if the driver refuses interop.
// Compiled only with SATDOF_HAS_CUDA.
namespace satdof {

// Whether CUDA can run. Availability::reason is the name of the GPU, or why CUDA cannot run.
Availability cudaAvailability();
// Device::lost
bool cudaLost();

std::unique_ptr<TableBuilder> makeCudaTableBuilder(const TableSpec& spec);
// Scatters and builds the table in one crossing: the differences stay in CUDA.
std::unique_ptr<NearScatter> makeCudaNearScatter(const TableSpec& spec);
// Compacts with spec.compaction and sorts with spec.sort, far to near.
std::unique_ptr<BokehCollector> makeCudaBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace satdof
