#pragma once
#include "app/scene/bodies/solver.h"

namespace satdof {

// All pairs in compute shaders, O(n^2). The state stays in the buffers that the scene draws.
std::unique_ptr<Solver> makeGlSolver(const BodiesSettings& settings);

}  // namespace satdof
