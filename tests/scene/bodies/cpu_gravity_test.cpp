#include <gtest/gtest.h>

#include <cmath>

#include "app/scene/bodies/cpu_solver.h"
#include "app/scene/bodies/initial.h"

namespace satdof {
namespace {

// The accelerations and potentials of a collision of galaxies.
BodyArrays felt(const CpuGravity& gravity, int count, int threads, const BodiesSettings& settings = {}) {
  const BodyState state = galaxies(count, 1);
  BodyArrays bodies(count);
  for (size_t i = 0; i < state.positions.size(); ++i) {
    const glm::vec4& p = state.positions[i];
    bodies.x[i] = p.x, bodies.y[i] = p.y, bodies.z[i] = p.z, bodies.mass[i] = p.w;
  }
  ThreadPool pool(threads);
  gravity(bodies, settings, pool);
  return bodies;
}

TEST(CpuGravity, IsTheSameWithAnyNumberOfThreads) {
  for (const auto& gravity : {pairsGravity(), treeGravity()})
    for (const int count : {1, 15, 17, 1000, 6000}) {
      const BodyArrays one = felt(gravity, count, 1), many = felt(gravity, count, 5);
      EXPECT_EQ(one.ax, many.ax) << count;
      EXPECT_EQ(one.ay, many.ay) << count;
      EXPECT_EQ(one.az, many.az) << count;
      EXPECT_EQ(one.potential, many.potential) << count;
    }
}

TEST(CpuGravity, TheTreeAgreesWithAllPairs) {
  const BodyArrays pairs = felt(pairsGravity(), 2000, 2), tree = felt(treeGravity(), 2000, 2);
  double error = 0, all = 0;
  for (size_t i = 0; i < pairs.ax.size(); ++i) {
    error += std::pow(tree.ax[i] - pairs.ax[i], 2) + std::pow(tree.ay[i] - pairs.ay[i], 2);
    all += std::pow(pairs.ax[i], 2) + std::pow(pairs.ay[i], 2);
  }
  EXPECT_LT(std::sqrt(error / all), 3e-3);
  EXPECT_GT(error, 0);
}

}  // namespace
}  // namespace satdof
