#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "app/scene/bodies/cpu_solver.h"
#include "app/scene/bodies/initial.h"

namespace satdof {
namespace {

// The accelerations and potentials of a cluster, sheared so that all second moments count.
BodyArrays felt(const CpuGravity& gravity, int count, int threads, const BodiesSettings& settings = {}) {
  const BodyState state = plummer(count, 1);
  BodyArrays bodies(count);
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const glm::vec4& p = state.positions[i];
    bodies.x[i] = p.x, bodies.y[i] = p.y + p.x, bodies.z[i] = p.z + p.y + p.x, bodies.mass[i] = p.w;
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

// The root mean square of the differences, divided by the root mean square of the values.
double difference(const std::vector<float>& a, const std::vector<double>& b) {
  double error = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    error += std::pow(double(a[i]) - b[i], 2);
    all += std::pow(b[i], 2);
  }
  return std::sqrt(error / all);
}

TEST(CpuGravity, IsTheSumOverAllPairs) {
  constexpr int kCount = 2100;  // more than a tile of the sources
  const BodiesSettings settings;
  const BodyArrays pairs = felt(pairsGravity(), kCount, 2), tree = felt(treeGravity(), kCount, 2);
  std::vector<double> ax(kCount), ay(kCount), az(kCount), potential(kCount);
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t j = 0; j < kCount; ++j) {
      if (i == j) continue;
      const double dx = double(pairs.x[j]) - double(pairs.x[i]), dy = double(pairs.y[j]) - double(pairs.y[i]),
                   dz = double(pairs.z[j]) - double(pairs.z[i]);
      const double distance =
          std::sqrt(dx * dx + dy * dy + dz * dz + double(settings.softening) * double(settings.softening));
      const double scale = double(pairs.mass[j]) / std::pow(distance, 3);
      ax[i] += scale * dx, ay[i] += scale * dy, az[i] += scale * dz;
      potential[i] -= double(pairs.mass[j]) / distance;
    }
  for (const auto& [gravity, largest, largestOfPotential] :
       {std::tuple(&pairs, 2e-6, 2e-6), std::tuple(&tree, 6.5e-4, 5.5e-5)}) {
    EXPECT_LT(difference(gravity->ax, ax), largest);
    EXPECT_LT(difference(gravity->ay, ay), largest);
    EXPECT_LT(difference(gravity->az, az), largest);
    EXPECT_LT(difference(gravity->potential, potential), largestOfPotential);
  }
  EXPECT_GT(difference(tree.ax, ax), 1e-6) << "the tree sums every pair";
}

}  // namespace
}  // namespace satdof
