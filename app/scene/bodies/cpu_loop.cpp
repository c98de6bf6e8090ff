#include <cmath>

#include "app/scene/bodies/cpu_solver.h"

namespace satdof {

namespace {

// All pairs in a scalar loop on one core: the baseline for other solvers. O(n^2).
void allPairs(BodyArrays& b, const BodiesSettings& settings, ThreadPool&) {
  const float softening2 = settings.softening * settings.softening;
  const auto count = static_cast<std::size_t>(b.count);
  for (std::size_t i = 0; i < count; ++i) {
    float ax = 0, ay = 0, az = 0, potential = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      const float dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
      const float squared = dx * dx + dy * dy + dz * dz + softening2;
      const float inverse = 1.0f / std::sqrt(squared);
      const float massOverDistance = b.mass[j] * inverse;
      const float scale = massOverDistance * inverse * inverse;
      ax += scale * dx;
      ay += scale * dy;
      az += scale * dz;
      potential -= massOverDistance;
    }
    b.ax[i] = ax, b.ay[i] = ay, b.az[i] = az, b.potential[i] = potential;
  }
}

}  // namespace

std::unique_ptr<Solver> makeCpuLoopSolver(const BodiesSettings& settings) {
  return makeCpuSolver(settings.count, 1, "gravity, one core", allPairs);
}

}  // namespace satdof
