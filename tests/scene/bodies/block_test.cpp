#include "app/scene/bodies/block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <random>
#include <vector>

namespace satdof {
namespace {

constexpr double kSoftening = 0.1;

class BlockGravityTest : public testing::Test {
 protected:
  glm::dvec3 place(double extent) {
    std::uniform_real_distribution<double> at(-extent, extent);
    const double x = at(random_), y = at(random_), z = at(random_);
    return {x, y, z};
  }

  Block targets() {
    Block block;
    for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
      const glm::vec3 p(place(1));
      block.x[lane] = p.x, block.y[lane] = p.y, block.z[lane] = p.z;
      // Initial values, to which gravity is added.
      block.ax[lane] = 1, block.ay[lane] = 2, block.az[lane] = 3, block.potential[lane] = 4;
    }
    return block;
  }

  // Compares the block's accelerations with sums over bodies (position, mass). Lane i leaves out the body `without +
  // i`.
  static void expectFelt(const Block& block, const std::vector<glm::dvec4>& bodies, int without, double tolerance) {
    for (int lane = 0; lane < kBlockBodies; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      const glm::dvec3 target(block.x[i], block.y[i], block.z[i]);
      glm::dvec3 acceleration(1, 2, 3);
      double potential = 4;
      for (int j = 0; j < static_cast<int>(bodies.size()); ++j) {
        if (without >= 0 && j == without + lane) continue;
        const glm::dvec4& body = bodies[static_cast<std::size_t>(j)];
        const glm::dvec3 d = glm::dvec3(body) - target;
        const double distance = std::sqrt(glm::dot(d, d) + kSoftening * kSoftening);
        acceleration += body.w / std::pow(distance, 3) * d;
        potential -= body.w / distance;
      }
      EXPECT_NEAR(block.ax[i], acceleration.x, tolerance) << lane;
      EXPECT_NEAR(block.ay[i], acceleration.y, tolerance) << lane;
      EXPECT_NEAR(block.az[i], acceleration.z, tolerance) << lane;
      EXPECT_NEAR(block.potential[i], potential, tolerance) << lane;
    }
  }

  std::mt19937 random_{7};
};

TEST_F(BlockGravityTest, BodiesAttractByNewtonsLaw) {
  std::vector<glm::dvec4> bodies;
  std::vector<float> x, y, z, mass;
  for (int j = 0; j < 40; ++j) {
    const glm::vec3 p(place(1));
    x.push_back(p.x), y.push_back(p.y), z.push_back(p.z), mass.push_back(0.01f * float(j + 1));
    bodies.emplace_back(p, mass.back());
  }
  const Sources sources{x.data(), y.data(), z.data(), mass.data()};
  for (const auto& gravity : {plainBlockGravity(), fastestBlockGravity()})
    for (const int self : {-100, 0, 13, 30}) {
      Block block = targets();
      gravity.addBodies(block, sources, 0, 40, self, float(kSoftening * kSoftening));
      expectFelt(block, bodies, self < 0 ? -1 : self, 2e-4);
    }
}

TEST_F(BlockGravityTest, OnlyTheBodiesOfTheRangeAttract) {
  const std::vector<float> x{2, 3, 4}, y{1, 1, 2}, z{0, 1, 0}, mass{1, 2, 4};
  const Sources sources{x.data(), y.data(), z.data(), mass.data()};
  for (const auto& gravity : {plainBlockGravity(), fastestBlockGravity()}) {
    Block block = targets();
    gravity.addBodies(block, sources, 1, 2, -100, float(kSoftening * kSoftening));
    expectFelt(block, {{3, 1, 1, 2}}, -1, 1e-5);
  }
}

// A cell of bodies in opposite pairs has no third moments: the error is of the fourth order.
TEST_F(BlockGravityTest, CellsAttractAsTheirBodiesToTheThirdOrder) {
  std::vector<glm::dvec4> bodies;
  std::vector<Moments> cells;
  for (const glm::dvec3 centre : {glm::dvec3(4, 1, -2), glm::dvec3(-3, -4, 2), glm::dvec3(1, 2, 5)}) {
    Moments cell{float(centre.x), float(centre.y), float(centre.z), 0, 0, 0, 0, 0, 0, 0};
    for (int pair = 0; pair < 2; ++pair) {
      const glm::dvec3 d = place(0.4);
      const double mass = 5.0 * (pair + 1);
      for (const double side : {-1.0, 1.0}) bodies.emplace_back(centre + side * d, mass);
      const float both = float(2 * mass);
      cell.mass += both;
      cell.xx += both * float(d.x * d.x), cell.yy += both * float(d.y * d.y), cell.zz += both * float(d.z * d.z);
      cell.xy += both * float(d.x * d.y), cell.xz += both * float(d.x * d.z), cell.yz += both * float(d.y * d.z);
    }
    cells.push_back(cell);
  }
  for (const auto& gravity : {plainBlockGravity(), fastestBlockGravity()}) {
    Block block = targets();
    gravity.addCells(block, cells.data(), 3, float(kSoftening * kSoftening));
    expectFelt(block, bodies, -1, 1e-3);
  }
}

}  // namespace
}  // namespace satdof
