#pragma once
#include <functional>
#include <vector>

#include "app/core/system/thread_pool.h"
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

// A function that computes the accelerations and potentials of all bodies.
using CpuGravity = std::function<void(BodyArrays& bodies, const BodiesSettings& settings, ThreadPool& pool)>;

// All pairs, and the tree of Barnes and Hut. The results do not depend on the number of threads.
CpuGravity pairsGravity();
CpuGravity treeGravity();

// Number of threads for a step with this many interactions: waking a thread costs as much as about 10^5 of them.
int threadsFor(double interactions);

// A leapfrog solver with the state in main memory. Uploads the state
// after every advance(). `stage`: name of the gravity in the timings.
std::unique_ptr<Solver> makeCpuSolver(int bodies, int threads, const char* stage, CpuGravity gravity);

// Factories for the rows of the registry of solvers.
std::unique_ptr<Solver> makeCpuLoopSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuPairsSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuTreeSolver(const BodiesSettings& settings);

}  // namespace satdof
