#pragma once
#include <functional>
#include <vector>

#include "app/core/thread_pool.h"
#include "app/scene/bodies/solver.h"

namespace satdof {

// Bodies as a structure of arrays.
struct BodyArrays {
  explicit BodyArrays(int bodies);

  int count;
  std::vector<float> x, y, z, mass;
  std::vector<float> vx, vy, vz;
  std::vector<float> ax, ay, az, potential;
};

// Computes the accelerations and potentials of all bodies.
using CpuGravity = std::function<void(BodyArrays& bodies, const BodiesSettings& settings, ThreadPool& pool)>;

// A solver with the state in memory of the processor: leapfrog, and an upload after every advance(). `stage`
// names the gravity in the timings.
std::unique_ptr<Solver> makeCpuSolver(int bodies, int threads, const char* stage, CpuGravity gravity);

// Row factories.
std::unique_ptr<Solver> makeCpuLoopSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuPairsSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuTreeSolver(const BodiesSettings& settings);

}  // namespace satdof
