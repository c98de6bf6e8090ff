#pragma once
#include "app/scene/bodies/solver.h"

// The solvers on CUDA. The state stays in device memory; a device-to-device copy fills the buffers that the scene
// draws. on_cuda runs on a GPU (SATDOF_HAS_CUDA), on_cuda_emulated on the emulator (SATDOF_HAS_EMULATOR).
namespace satdof {

namespace on_cuda {
std::unique_ptr<Solver> makeNaiveSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeTiledSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeTreeSolver(const BodiesSettings& settings);
}  // namespace on_cuda

#ifndef SATDOF_EMULATED
namespace on_cuda_emulated {
std::unique_ptr<Solver> makeTiledSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeTreeSolver(const BodiesSettings& settings);
}  // namespace on_cuda_emulated
#endif

}  // namespace satdof
