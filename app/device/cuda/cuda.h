#pragma once
#include "app/device/device.h"

// The devices of CUDA kernels. OpenGL textures are mapped through interop, or copied where interop is not available.
// The sources are compiled for NVIDIA GPUs (SATDOF_HAS_CUDA), and for the processor (SATDOF_HAS_EMULATOR), where
// on_cuda is renamed to on_cuda_emulated (cuda/emulator/CMakeLists.txt).
namespace satdof {

namespace on_cuda {

// Device::probe.
Availability availability();
// Device::lost.
bool lost();

std::unique_ptr<TableBuilder> makeTableBuilder(const TableSpec& spec);
// Scatters and builds the table between one map and one unmap: the differences stay in CUDA memory.
std::unique_ptr<NearScatter> makeNearScatter(const TableSpec& spec);
// Compacts with spec.compaction and sorts with spec.sort, from far to near.
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
