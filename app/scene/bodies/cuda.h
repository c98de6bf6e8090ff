#pragma once
#include "app/scene/bodies/solver.h"

// The solvers on CUDA. The state stays in device memory and is copied there into the buffers that the scene
// draws. Compiled only with SATDOF_HAS_CUDA.
namespace satdof {

Availability cudaSolverAvailability();
std::unique_ptr<Solver> makeCudaNaiveSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCudaTiledSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCudaTreeSolver(const BodiesSettings& settings);

}  // namespace satdof
