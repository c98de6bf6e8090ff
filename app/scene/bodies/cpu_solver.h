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

// All pairs and Barnes and Hut's tree. The results do not depend on the number of threads.
CpuGravity pairsGravity();
CpuGravity treeGravity();

// Threads for a step of so many interactions, at least 1: waking a thread costs as much as some 10^5 of them.
int threadsFor(double interactions);

// A solver with the state in memory of the processor: leapfrog, and an upload after every advance(). `stage`
// names the gravity in the timings.
std::unique_ptr<Solver> makeCpuSolver(int bodies, int threads, const char* stage, CpuGravity gravity);

// Row factories.
std::unique_ptr<Solver> makeCpuLoopSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuPairsSolver(const BodiesSettings& settings);
std::unique_ptr<Solver> makeCpuTreeSolver(const BodiesSettings& settings);

}  // namespace satdof
