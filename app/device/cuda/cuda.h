#pragma once
#include "app/device/device.h"

// A device of CUDA kernels. OpenGL textures are mapped through interop, or copied if that cannot be had.
// The sources are compiled for NVIDIA GPUs with SATDOF_HAS_CUDA, and for the processor with SATDOF_HAS_EMULATOR: then
// every on_cuda is on_cuda_emulated (cuda/emulator/CMakeLists.txt).
namespace satdof {

namespace on_cuda {

// Whether the kernels can run. Availability::reason is the name of the device, or why they cannot.
Availability availability();
// Device::lost
bool lost();

std::unique_ptr<TableBuilder> makeTableBuilder(const TableSpec& spec);
// Scatters and builds the table in one crossing: the differences stay in CUDA.
std::unique_ptr<NearScatter> makeNearScatter(const TableSpec& spec);
// Compacts with spec.compaction and sorts with spec.sort, far to near.
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace on_cuda

#ifndef SATDOF_EMULATED
namespace on_cuda_emulated {

Availability availability();
std::unique_ptr<TableBuilder> makeTableBuilder(const TableSpec& spec);
std::unique_ptr<NearScatter> makeNearScatter(const TableSpec& spec);
std::unique_ptr<BokehCollector> makeBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity);

}  // namespace on_cuda_emulated
#endif

}  // namespace satdof
