#pragma once
#include "app/scene/bodies/solver.h"

// The solvers on CUDA. The state stays in device memory and is copied there into the buffers that the scene
// draws. With SATDOF_HAS_CUDA on the GPU, with SATDOF_HAS_EMULATOR emulated.
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
