#include "app/scene/bodies/solver.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "app/core/system/abandon.h"
#include "app/scene/bodies/cpu_solver.h"
#include "app/scene/bodies/simulation.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

using glm::dvec3;
using glm::dvec4;
using testing::AllOf;
using testing::HasSubstr;

// Accelerations and potentials of all pairs in double precision, as {x, y, z, potential}.
std::vector<dvec4> bruteForce(const BodyState& state, double softening) {
  std::vector<dvec4> all(state.positions.size(), dvec4(0.0));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (i == j) continue;
      const dvec3 apart = dvec3(state.positions[j]) - dvec3(state.positions[i]);
      const double inverse = 1 / std::sqrt(glm::dot(apart, apart) + softening * softening);
      const double massOverDistance = double(state.positions[j].w) * inverse;
      all[i] += dvec4(massOverDistance * inverse * inverse * apart, -massOverDistance);
    }
  return all;
}

std::vector<glm::vec4> read(const gl::Buffer& buffer) {
  std::vector<glm::vec4> values(static_cast<std::size_t>(buffer.bytes()) / sizeof(glm::vec4));
  glGetNamedBufferSubData(buffer.name(), 0, buffer.bytes(), values.data());
  return values;
}

BodiesSettings settingsOf(BodySolver solver, int count) {
  BodiesSettings settings;
  settings.solver = solver;
  settings.count = count;
  settings.initial = InitialState::plummer;
  return settings;
}

struct Conserved {
  double energy = 0;
  dvec3 momentum{0.0}, angular{0.0};
};
Conserved conservedOf(const BodyBuffers& buffers) {
  const auto p = read(buffers.positions), v = read(buffers.velocities), a = read(buffers.accelerations);
  Conserved sums;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const dvec3 velocity(v[i]);
    const double m = double(p[i].w);
    sums.energy += m * (0.5 * glm::dot(velocity, velocity) + 0.5 * double(a[i].w));
    sums.momentum += m * velocity;
    sums.angular += m * glm::cross(dvec3(p[i]), velocity);
  }
  return sums;
}

class SolverTest : public GlTest, public testing::WithParamInterface<BodySolver> {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (const Availability& here = availability(GetParam()); !here.available) GTEST_SKIP() << here.reason;
  }
  bool isEmulated() const { return solverRow(GetParam()).runsOn == DeviceKind::emulated; }
  bool isTree() const { return solverRow(GetParam()).isTree; }
  Timings timings_;
};
std::vector<BodySolver> allSolvers() {
  std::vector<BodySolver> all;
  for (const SolverRow& row : solverRows()) all.push_back(row.value);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Solvers, SolverTest, testing::ValuesIn(allSolvers()), [](const auto& test) {
  std::string text = solverRow(test.param).name;
  std::ranges::replace(text, '-', '_');
  return text;
});

TEST_P(SolverTest, AgreesWithBruteForceAtAnyCount) {
  for (const int count : {1, 2, 3, 15, 16, 17, 31, 33, 255, 257, 1000, 2049}) {
    SCOPED_TRACE(count);
    const BodiesSettings settings = settingsOf(GetParam(), count);
    const BodyState state = initialState(settings.initial, count, 11);
    const auto expected = bruteForce(state, double(settings.softening));
    const auto solver = makeSolver(settings);
    solver->reset(state, settings);
    const auto found = read(solver->buffers().accelerations);
    double error2 = 0, sum2 = 0, worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double size2 = glm::dot(dvec3(expected[i]), dvec3(expected[i]));
      const dvec3 off = dvec3(found[i]) - dvec3(expected[i]);
      error2 += glm::dot(off, off) / std::max(size2, 1e-12);
      worst = std::max(worst, std::sqrt(glm::dot(off, off) / std::max(size2, 1e-3)));
      sum2 += 1;
      ASSERT_NEAR(double(found[i].w), expected[i].w, (isTree() ? 2e-3 : 1e-5) * (1 - expected[i].w)) << i;
    }
    EXPECT_LT(std::sqrt(error2 / sum2), isTree() ? 5e-3 : 1e-5);
    EXPECT_LT(worst, isTree() ? 0.05 : 1e-4);
    EXPECT_EQ(read(solver->buffers().positions), state.positions);
    EXPECT_EQ(read(solver->buffers().velocities), state.velocities);
  }
}

TEST_P(SolverTest, BodiesAtOnePlaceAndFarAway) {
  const BodiesSettings settings = settingsOf(GetParam(), 40);
  BodyState state;
  for (int i = 0; i < 40; ++i) {
    state.positions.emplace_back(i < 35 ? glm::vec3(0.25f) : glm::vec3(1e3f * float(i)), 0.025f);
    state.velocities.emplace_back(0.0f);
  }
  const auto expected = bruteForce(state, double(settings.softening));
  const auto solver = makeSolver(settings);
  solver->reset(state, settings);
  const auto found = read(solver->buffers().accelerations);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int axis = 0; axis < 4; ++axis)
      ASSERT_NEAR(double(found[i][axis]), expected[i][axis], 1e-5 * (1 + std::abs(expected[i][axis]))) << i;
}

TEST_P(SolverTest, OpeningAngleZeroIsExact) {
  if (!isTree()) GTEST_SKIP() << "all pairs have no opening angle";
  BodiesSettings settings = settingsOf(GetParam(), 1500);
  settings.openingAngle = 0;
  const BodyState state = initialState(InitialState::galaxies, settings.count, 2);
  const auto expected = bruteForce(state, double(settings.softening));
  const auto solver = makeSolver(settings);
  solver->reset(state, settings);
  const auto found = read(solver->buffers().accelerations);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_LT(glm::distance(dvec3(found[i]), dvec3(expected[i])), 1e-4 * (1 + glm::length(dvec3(expected[i]))));
}

TEST_P(SolverTest, ConservesEnergyAndMomentum) {
  BodiesSettings settings = settingsOf(GetParam(), 300);
  settings.softening = 0.05f;
  const auto solver = makeSolver(settings);
  solver->reset(initialState(settings.initial, settings.count, 5), settings);
  const Conserved before = conservedOf(solver->buffers());
  solver->advance(isEmulated() ? 20 : 200, settings, timings_);
  const Conserved after = conservedOf(solver->buffers());
  EXPECT_NEAR(after.energy / before.energy, 1, 2e-3);
  EXPECT_LT(glm::length(after.momentum - before.momentum), isTree() ? 2e-3 : 2e-5);
  EXPECT_LT(glm::length(after.angular - before.angular), isTree() ? 2e-3 : 2e-5);
}

// The leapfrog runs backwards with a negative step, up to rounding.
TEST_P(SolverTest, CanBeReversed) {
  BodiesSettings settings = settingsOf(GetParam(), 100);
  settings.softening = 0.1f;
  const BodyState start = initialState(settings.initial, settings.count, 5);
  const auto solver = makeSolver(settings);
  solver->reset(start, settings);
  solver->advance(50, settings, timings_);
  const auto there = read(solver->buffers().positions);
  settings.timeStep = -settings.timeStep;
  solver->advance(50, settings, timings_);
  const auto back = read(solver->buffers().positions);
  for (std::size_t i = 0; i < back.size(); ++i) {
    ASSERT_LT(glm::distance(back[i], start.positions[i]), 1e-4f);
    EXPECT_GT(glm::distance(there[i], start.positions[i]), 1e-3f);
  }
}

TEST_P(SolverTest, RunsRepeatBitForBitHoweverTheStepsAreDivided) {
  const BodiesSettings settings = settingsOf(GetParam(), 777);
  const BodyState start = initialState(InitialState::galaxies, settings.count, 5);
  const auto run = [&](std::initializer_list<int> calls) {
    const auto solver = makeSolver(settings);
    solver->reset(start, settings);
    for (const int steps : calls) solver->advance(steps, settings, timings_);
    return solver->state();
  };
  const BodyState once = run({12}), again = run({12}), divided = run({1, 4, 0, 7});
  EXPECT_EQ(once.positions, again.positions);
  EXPECT_EQ(once.velocities, again.velocities);
  EXPECT_EQ(once.positions, divided.positions);
  EXPECT_EQ(once.velocities, divided.velocities);
  EXPECT_NE(once.positions, start.positions);
}

TEST_P(SolverTest, RefusesTooManyBodies) {
  const SolverRow& row = solverRow(GetParam());
  if (row.maxBodies == 1 << 24) GTEST_SKIP() << "takes as many as the setting";
  EXPECT_THAT(test::reasonOf([&] { makeSolver(settingsOf(GetParam(), row.maxBodies + 1)); }),
              AllOf(HasSubstr(row.name), HasSubstr("at most " + std::to_string(row.maxBodies)), HasSubstr("--bodies")));
}

using SolversTest = GlTest;

TEST_F(SolversTest, RowsHaveUniqueNamesAndReasons) {
  std::set<std::string> names;
  for (const SolverRow& row : solverRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GT(std::string(row.summary).size(), 0u);
    EXPECT_FALSE(availability(row.value).reason.empty());
    EXPECT_EQ(&solverRow(row.value), &row);
    EXPECT_EQ(&solverOf({.solver = row.value}), &row);
  }
  EXPECT_EQ(entries(BodySolver{}).size(), solverRows().size() + 1);
}

// An OpenGL error of another call is for the end of the run to find.
TEST_F(SolversTest, BuffersLeaveEarlierErrors) {
  static int asked = 0;
  static const auto original = glad_glGetError;
  glad_glGetError = [] {
    ++asked;
    return original();
  };
  const BodyBuffers buffers(10);
  glad_glGetError = original;
  EXPECT_EQ(asked, 0);
}

TEST(SolverThreads, AreOnlyAsManyAsTheWorkKeepsBusy) {
  EXPECT_EQ(threadsFor(0), 1);
  EXPECT_EQ(threadsFor(256.0 * 256.0), 1);
  EXPECT_EQ(threadsFor(2.0e5), std::min(2, hardwareThreads()));
  EXPECT_EQ(threadsFor(1e15), hardwareThreads());
}

TEST_F(SolversTest, AutomaticTakesAnyCountAndPrefersTreesForMany) {
  for (const int count : {1, 1000, 1 << 20}) {
    const SolverRow& row = solverOf({.count = count});
    EXPECT_TRUE(availability(row.value).available) << row.name;
    EXPECT_LE(count, row.maxBodies);
    EXPECT_EQ(row.isTree, count > 100000);
  }
}

// The steps of a simulation.
class SimulationTest : public GlTest {
 protected:
  SimulationTest() {
    settings_.count = 64;
    settings_.timeStep = 1.0f / 64;
    settings_.speed = 0.5f;  // 32 steps a second
  }
  void at(double timeS, bool live = false) { simulation_.advanceTo(settings_, timeS, live, timings_); }

  BodiesSettings settings_;
  Simulation simulation_;
  Timings timings_;
};

TEST_F(SimulationTest, ReachesTheStepOfTheTime) {
  at(0);
  EXPECT_EQ(simulation_.step(), 0);
  at(1);
  EXPECT_EQ(simulation_.step(), 32);
  EXPECT_EQ(simulation_.sinceStep(), 0.0f);
  at(1 + 0.75 / 32);
  EXPECT_EQ(simulation_.step(), 32);
  EXPECT_NEAR(simulation_.sinceStep(), 0.75f / 64, 1e-6f);
  const BodyState there = simulation_.solver().state();
  at(2);
  EXPECT_EQ(simulation_.starts(), 1);
  at(1);
  EXPECT_EQ(simulation_.step(), 32);
  EXPECT_EQ(simulation_.starts(), 2);
  EXPECT_EQ(simulation_.solver().state().positions, there.positions);
}

TEST_F(SimulationTest, StartsAtItsTimeAndStandsStillBefore) {
  settings_.startS = 2;
  at(1);
  EXPECT_EQ(simulation_.step(), 0);
  EXPECT_EQ(simulation_.sinceStep(), 0.0f);
  at(3);
  EXPECT_EQ(simulation_.step(), 32);
}

TEST_F(SimulationTest, StartsAgainWithOtherSettingsButNotWithOtherColours) {
  at(1);
  settings_.colour = BodyColour::mass;
  at(1);
  EXPECT_EQ(simulation_.starts(), 1);
  for (const auto change :
       {+[](BodiesSettings& s) { s.seed = 9; }, +[](BodiesSettings& s) { s.softening = 0.1f; },
        +[](BodiesSettings& s) { s.count = 65; }, +[](BodiesSettings& s) { s.initial = InitialState::disc; }}) {
    const long starts = simulation_.starts();
    change(settings_);
    at(1);
    EXPECT_EQ(simulation_.starts(), starts + 1);
    EXPECT_EQ(simulation_.step(), 32);
  }
}

TEST_F(SimulationTest, LiveGoesOnWithAnotherSolver) {
  settings_.solver = BodySolver::cpu;
  at(0, true);
  at(0.5, true);
  const long step = simulation_.step();
  EXPECT_GT(step, 0);
  const BodyState before = simulation_.solver().state();
  settings_.solver = BodySolver::glCompute;
  at(0.5, true);
  EXPECT_EQ(simulation_.starts(), 1);
  EXPECT_EQ(simulation_.step(), step);
  EXPECT_EQ(simulation_.solver().state().positions, before.positions);
  at(0.1, true);
  EXPECT_EQ(simulation_.step(), step) << "the time jumped back";
  EXPECT_EQ(simulation_.starts(), 1);
  settings_.seed = 4;
  at(0.6, true);
  EXPECT_EQ(simulation_.starts(), 2);
}

TEST_F(SimulationTest, LiveFallsBehindRatherThanWait) {
  settings_.solver = BodySolver::cpuLoop;
  settings_.count = 1500;  // milliseconds a step
  at(0, true);
  at(100, true);
  EXPECT_LT(simulation_.step(), 3200);
  const long step = simulation_.step();
  at(100 + 1.0 / 32, true);
  EXPECT_EQ(simulation_.step(), step + 1);
}

TEST_F(SimulationTest, LiveTellsTheTimeThatItShows) {
  settings_.solver = BodySolver::cpuLoop;
  settings_.count = 1500;  // milliseconds a step
  at(0, true);
  EXPECT_EQ(simulation_.shownS(), 0.0f);
  for (const double timeS : {100.0, 100.05, 100.3}) {
    at(timeS, true);
    const long step = simulation_.step();
    const float sinceStep = simulation_.sinceStep(), shownS = simulation_.shownS();
    EXPECT_LT(shownS, 100.0f);
    Simulation again;
    again.advanceTo(settings_, double(shownS), false, timings_);
    EXPECT_EQ(again.step(), step);
    EXPECT_EQ(again.sinceStep(), sinceStep);
    EXPECT_EQ(again.shownS(), shownS);
    at(double(shownS));
    EXPECT_EQ(simulation_.step(), step) << "drawing again makes no step";
    EXPECT_EQ(simulation_.starts(), 1);
  }
}

TEST_F(SimulationTest, IsAbandonedBetweenStepsAndReportsProgress) {
  settings_.solver = BodySolver::cpu;
  at(8);
  const BodyState there = simulation_.solver().state();
  Simulation again;
  int abandoned = 0;
  for (bool done = false; !done;) {
    std::vector<float> parts;
    const AbandonFramesScope mayAbandon([&] {
      const LongWork* const work = LongWork::current();
      if (work == nullptr) return false;
      parts.push_back(work->part());
      return parts.size() == 3;
    });
    try {
      again.advanceTo(settings_, 8, false, timings_);
      done = true;
    } catch (const FrameAbandoned&) {
      ++abandoned;
      EXPECT_LT(again.step(), simulation_.step());
    }
    EXPECT_TRUE(std::ranges::is_sorted(parts));
    EXPECT_TRUE(parts.empty() || parts.back() < 1.0f);
  }
  EXPECT_GE(abandoned, 1);
  EXPECT_EQ(LongWork::current(), nullptr);
  EXPECT_EQ(again.step(), simulation_.step());
  EXPECT_EQ(again.solver().state().positions, there.positions);
}

TEST_F(SimulationTest, KeepsTheLastSolverAndSaysWhy) {
  at(0.25);
  settings_.solver = BodySolver::cpuLoop;
  settings_.count = 1 << 20;
  at(0.25);
  EXPECT_THAT(simulation_.message(), HasSubstr("cpu-loop: at most"));
  EXPECT_EQ(simulation_.settings().count, 64);
  settings_.count = 64;
  at(0.25);
  EXPECT_EQ(simulation_.message(), "");
  Simulation other;
  settings_.count = 1 << 20;
  EXPECT_THROW(other.advanceTo(settings_, 0, false, timings_), std::runtime_error);
}

TEST_F(SimulationTest, RefusesEndlessRuns) {
  at(0);
  settings_.timeStep = 1e-5f;
  settings_.speed = 10;
  EXPECT_THROW(at(1e5), std::runtime_error);
}

}  // namespace
}  // namespace satdof
