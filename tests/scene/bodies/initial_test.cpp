#include "app/scene/bodies/initial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace satdof {
namespace {

using glm::dvec3;

struct Sums {
  double mass = 0, kinetic = 0, potential = 0, largest = 0;
  dvec3 centre{0.0}, momentum{0.0}, angular{0.0};
  bool finite = true;
};

// In double precision, without softening.
Sums sumsOf(const BodyState& state) {
  Sums sums;
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const dvec3 p(state.positions[i]), v(state.velocities[i]);
    const double m = double(state.positions[i].w);
    sums.finite &= std::isfinite(p.x + p.y + p.z + v.x + v.y + v.z + m) && m > 0;
    sums.mass += m;
    sums.centre += m * p;
    sums.momentum += m * v;
    sums.angular += m * glm::cross(p, v);
    sums.kinetic += 0.5 * m * glm::dot(v, v);
    sums.largest = std::max(sums.largest, glm::length(p));
    for (std::size_t j = 0; j < i; ++j)
      sums.potential -= m * double(state.positions[j].w) / glm::distance(p, dvec3(state.positions[j]));
  }
  return sums;
}

TEST(InitialState, AnyCountHasTheWholeMassAtRest) {
  for (const auto& entry : entries(InitialState{}))
    for (const int count : {1, 2, 3, 31, 33, 1000}) {
      SCOPED_TRACE(std::string(entry.name) + " " + std::to_string(count));
      const BodyState state = initialState(entry.value, count, 7);
      ASSERT_EQ(state.positions.size(), std::size_t(count));
      ASSERT_EQ(state.velocities.size(), std::size_t(count));
      const Sums sums = sumsOf(state);
      EXPECT_TRUE(sums.finite);
      EXPECT_NEAR(sums.mass, 1, 1e-5);
      EXPECT_LT(glm::length(sums.centre), 1e-6);
      EXPECT_LT(glm::length(sums.momentum), 1e-6);
      EXPECT_LT(sums.largest, 6);
      for (const auto& v : state.velocities) EXPECT_EQ(v.w, 0.0f);
    }
}

TEST(InitialState, FollowsFromTheSeed) {
  for (const auto& entry : entries(InitialState{})) {
    const BodyState a = initialState(entry.value, 100, 1), same = initialState(entry.value, 100, 1);
    EXPECT_EQ(a.positions, same.positions) << entry.name;
    EXPECT_EQ(a.velocities, same.velocities) << entry.name;
    EXPECT_NE(a.positions, initialState(entry.value, 100, 2).positions) << entry.name;
  }
}

// 2 K / |W| is 1 in equilibrium.
double virialRatio(const Sums& sums) { return 2 * sums.kinetic / -sums.potential; }

TEST(InitialState, PlummersSphereIsInEquilibrium) {
  const Sums sums = sumsOf(plummer(4000, 3));
  EXPECT_NEAR(virialRatio(sums), 1, 0.08);
  EXPECT_NEAR(sums.kinetic + sums.potential, -0.25, 0.03);
}

TEST(InitialState, CollapseIsCold) {
  const Sums sums = sumsOf(collapse(2000, 3));
  EXPECT_LT(virialRatio(sums), 0.02);
  // A uniform sphere of radius 1.2: W = -3 / 5 M^2 / R.
  EXPECT_NEAR(sums.potential, -0.5, 0.02);
}

TEST(InitialState, DiscTurnsAroundItsHeavyCentre) {
  const BodyState state = disc(2000, 3);
  EXPECT_NEAR(state.positions[0].w, 0.8f, 1e-6f);
  EXPECT_LT(glm::length(dvec3(state.positions[0])), 0.05);
  for (std::size_t i = 1; i < state.positions.size(); ++i) {
    const dvec3 p = dvec3(state.positions[i]) - dvec3(state.positions[0]), v(state.velocities[i]);
    const double radius = glm::length(p);
    ASSERT_NEAR(glm::dot(p, v) / (radius * glm::length(v)), 0, 0.2);
    ASSERT_GT(glm::dot(v, v) * radius, 0.6);
    ASSERT_LT(glm::dot(v, v) * radius, 1.4);
  }
}

TEST(InitialState, GalaxiesApproachAndMiss) {
  const BodyState state = galaxies(2001, 3);
  dvec3 left(0.0), right(0.0), leftV(0.0), rightV(0.0);
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const bool first = i < 1000;
    const double m = 2 * double(state.positions[i].w);
    (first ? left : right) += m * dvec3(state.positions[i]);
    (first ? leftV : rightV) += m * dvec3(state.velocities[i]);
  }
  const dvec3 apart = right - left, velocity = rightV - leftV;
  EXPECT_NEAR(glm::length(apart), 1.55, 0.1);
  EXPECT_LT(glm::dot(apart, velocity), 0);
  EXPECT_GT(glm::length(glm::cross(apart, velocity)), 0.1);
}

}  // namespace
}  // namespace satdof
