#include "app/scene/bodies/bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/scene/bodies/diagnostics.h"
#include "app/scene/registry.h"
#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using test::depthTexture;
using test::DrawnScene;

// The light of a frame less the light of the sky.
double lightOf(const DrawnScene& drawn) {
  double sum = 0;
  for (const auto& c : drawn.colour) sum += std::max(double(c.r) - 0.007, 0.0);
  return sum;
}

class BodiesTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{161, 95};

  BodiesTest() {
    view_.scene.kind = SceneKind::bodies;
    view_.scene.bodies.initial = InitialState::collapse;
    targets_.resize(kSize, 1);
  }
  DrawnScene draw() { return test::draw(*scene_, targets_, view_); }

  std::unique_ptr<Scene> scene_ = makeBodies();
  Targets targets_;
  SceneView view_;
};

// One body rests at the origin of the simulation, where the default camera looks.
TEST_F(BodiesTest, ABodyLandsAtItsPixelAndDepth) {
  view_.scene.bodies.count = 1;
  for (const int samples : {1, 4})
    for (const glm::vec2 aside : {glm::vec2(0.0f), glm::vec2(0.15f, -0.09f), glm::vec2(-0.2f, 0.1f)}) {
      targets_.resize(kSize, samples);
      view_.camera.distanceM = 0.7f;
      view_.camera.targetXM = aside.x;
      view_.camera.targetYM = 0.14f + aside.y;
      view_.camera.yawDegrees = 30.0f;
      const DrawnScene drawn = draw();
      const Pinhole pinhole = makePinhole(view_.camera, kSize, kNearM, {});
      const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(0.0f, 0.14f, 0.0f, 1.0f);
      const glm::vec2 centre = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * glm::vec2(kSize);
      const float radiusPx = 0.006f * pinhole.focalPx(kSize.y) / clip.w;
      for (int y = 0; y < kSize.y; ++y)
        for (int x = 0; x < kSize.x; ++x) {
          const float apart = glm::distance(glm::vec2(x, y) + 0.5f, centre);
          const glm::vec4 colour = drawn.colour[static_cast<std::size_t>(y * kSize.x + x)];
          if (apart < radiusPx - 0.6f) {
            ASSERT_NEAR(drawn.depthAt({x, y}), kNearM / clip.w, 1e-6f) << x << " " << y;
            ASSERT_GT(colour.r, 0.3f);
          } else if (apart > radiusPx + 0.6f) {
            ASSERT_EQ(drawn.depthAt({x, y}), 0.0f) << x << " " << y;
            ASSERT_LT(colour.r, 0.02f);
          }
        }
      EXPECT_GT(lightOf(drawn), 1.0);
    }
}

// The position of a body depends on the time alone, so frames with a tracked body repeat.
TEST_F(BodiesTest, ATrackedBodyIsFollowed) {
  view_.scene.bodies.count = 40;
  view_.timeS = 1.0;
  draw();
  std::vector<glm::vec3> before;
  for (int i = 1; i <= 40; ++i) {
    before.push_back(scene_->positionOf(view_, {i, glm::vec3(0.0f)}).value());
    EXPECT_EQ(scene_->surfaceAt(view_, before.back()).object, i);
  }
  EXPECT_EQ(scene_->surfaceAt(view_, {50, 0, 0}).object, 0) << "no body is there";
  EXPECT_FALSE(scene_->positionOf(view_, {41, glm::vec3(0.0f)}));
  view_.timeS = 4.0;
  draw();
  const auto direct = makeBodies();
  test::draw(*direct, targets_, view_);
  for (int i = 1; i <= 40; ++i) {
    const glm::vec3 place = scene_->positionOf(view_, {i, glm::vec3(0.0f)}).value();
    EXPECT_EQ(place, direct->positionOf(view_, {i, glm::vec3(0.0f)}).value());
    EXPECT_GT(glm::distance(place, before[static_cast<std::size_t>(i) - 1]), 0.001f);
  }
}

// A window reads a body's position some frames late and extrapolates it.
TEST_F(BodiesTest, AWindowFollowsABodyWithoutWaiting) {
  view_.scene.bodies.count = 40;
  view_.live = true;
  float movedM = 0.0f;
  std::optional<glm::vec3> first;
  for (int frame = 0; frame < 60; ++frame) {
    view_.timeS = frame / 30.0;
    draw();
    SceneView exact = view_;
    exact.live = false;
    {
      const int body = frame < 30 ? 7 : 8;
      const glm::vec3 place = scene_->positionOf(view_, {body, glm::vec3(0.0f)}).value(),
                      expected = scene_->positionOf(exact, {body, glm::vec3(0.0f)}).value();
      if (frame % 30 == 0) {
        EXPECT_EQ(place, expected) << "another body is waited for";
        first = place;
      }
      ASSERT_LT(glm::distance(place, expected), 2e-4f) << frame;
      movedM = std::max(movedM, glm::distance(place, *first));
    }
  }
  EXPECT_GT(movedM, 0.01f);
}

// A disc below a pixel keeps its light wherever its centre is, at any number of samples.
TEST_F(BodiesTest, SmallBodiesKeepTheirLight) {
  view_.scene.bodies.count = 2000;
  view_.camera.distanceM = 4.0f;
  const double light = lightOf(draw());
  EXPECT_GT(light, 10.0);
  view_.camera.targetXM += 0.0021f;
  view_.camera.targetYM -= 0.0013f;
  EXPECT_NEAR(lightOf(draw()) / light, 1, 0.06);
  const DrawnScene one = draw();
  targets_.resize(kSize, 4);
  const DrawnScene four = draw();
  EXPECT_EQ(one.depth, four.depth);
  EXPECT_NEAR(lightOf(four) / lightOf(one), 1, 1e-3);
}

TEST_F(BodiesTest, LightDoesNotDependOnTheNumberOfBodies) {
  targets_.resize({320, 180}, 1);
  view_.scene.bodies.count = 2000;
  const double few = lightOf(draw());
  view_.scene.bodies.count = 8000;
  EXPECT_NEAR(lightOf(draw()) / few, 1, 0.2);
}

TEST_F(BodiesTest, ColoursShowSpeedOrMass) {
  view_.scene.bodies.count = 500;
  const DrawnScene speed = draw();
  view_.scene.bodies.colour = BodyColour::mass;
  const DrawnScene mass = draw();
  EXPECT_NE(speed.colour, mass.colour);
  EXPECT_EQ(speed.depth, mass.depth);
  // Bodies almost at rest are orange.
  double red = 0, blue = 0;
  for (const auto& c : speed.colour) red += double(c.r), blue += double(c.b);
  EXPECT_GT(red, 2 * blue);
}

TEST_F(BodiesTest, ASingleBodyHasNoSecondLayer) {
  view_.scene.bodies.count = 1;
  const DrawnScene first = draw();
  const gl::Texture behind = depthTexture(first);
  view_.behind = &behind;
  const DrawnScene second = draw();
  EXPECT_GT(std::ranges::max(first.depth), 0.0f);
  EXPECT_EQ(std::ranges::max(second.depth), 0.0f);
  EXPECT_LT(lightOf(second), 1e-3);
}

TEST_F(BodiesTest, AreSparse) { EXPECT_TRUE(draw().frame.sparse); }

TEST_F(BodiesTest, BodiesAcrossTheEdgeOfTheImageKeepTheirPart) {
  view_.scene.bodies.count = 1;
  view_.camera.distanceM = 0.6f;
  const double whole = lightOf(draw());
  const float halfWidthM = 0.6f / makePinhole(view_.camera, kSize, kNearM, {}).scale.x;
  view_.camera.yawDegrees = 0.0f;
  view_.camera.targetXM = halfWidthM;  // the centre of the body is on the left edge
  EXPECT_NEAR(lightOf(draw()) / whole, 0.5, 0.1);
}

TEST_F(BodiesTest, DrawsAtAnyTimeTheSameHoweverItGotThere) {
  view_.scene.bodies.count = 300;
  view_.timeS = 1.0;
  const DrawnScene direct = draw();
  view_.timeS = 0.3;
  draw();
  view_.timeS = 0.77;
  draw();
  view_.timeS = 1.0;
  const DrawnScene later = draw();
  EXPECT_EQ(direct.colour, later.colour);
  EXPECT_EQ(direct.depth, later.depth);
}

TEST_F(BodiesTest, LiveScenesReportMeasurements) {
  view_.scene.bodies.count = 100;
  EXPECT_TRUE(scene_->report({}).readings.empty());
  view_.live = true;
  for (int i = 0; i < 50 && scene_->report({}).readings.empty(); ++i) {
    view_.timeS += 0.05;
    draw();
    glFinish();
  }
  std::vector<std::string> labels;
  for (const auto& reading : scene_->report({}).readings) {
    labels.push_back(reading.label);
    EXPECT_FALSE(reading.value.empty()) << reading.label;
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"Solver", "Simulated", "Energy", "Momentum", "Force error"}));
  view_.live = false;
  draw();
  EXPECT_EQ(scene_->report({}).readings.size(), labels.size()) << "while the window records";
}

TEST_F(BodiesTest, ReportsTooManyBodies) {
  view_.scene.bodies.solver = BodySolver::cpuTree;
  view_.scene.bodies.count = 1 << 24;
  for (int times = 0; times < 2; ++times) EXPECT_THROW(draw(), std::runtime_error);
  view_.live = true;
  for (int times = 0; times < 2; ++times) {
    EXPECT_GT(lightOf(draw()), 1.0);
    EXPECT_NE(scene_->message().find("16777216 bodies with cpu-tree: at most"), std::string::npos);
  }
}

TEST_F(BodiesTest, RestartsByItsRow) {
  const SceneRow& row = sceneRow(SceneKind::bodies);
  SceneSettings settings, other;
  other.bodies.softening = 0.5f;
  EXPECT_TRUE(row.sameStart(settings, other));
  other.bodies.seed = 9;
  EXPECT_FALSE(row.sameStart(settings, other));
  settings.timeS = 12.5f;
  row.restart(settings);
  EXPECT_EQ(settings.bodies.startS, 12.5f);
}

// Sums in double precision over the buffers of a solver.
TEST_F(BodiesTest, DiagnosticsMeasureTheBuffers) {
  Timings timings;
  for (const BodySolver solver : {BodySolver::cpu, BodySolver::cpuTree, BodySolver::glCompute})
    for (const int count : {1, 33, 1000, 3001}) {
      SCOPED_TRACE(std::to_string(count) + " " + solverRow(solver).name);
      BodiesSettings settings;
      settings.count = count;
      settings.solver = solver;
      Simulation simulation;
      Diagnostics diagnostics;
      simulation.advanceTo(settings, 0.1, false, timings);
      EXPECT_FALSE(diagnostics.update(simulation, timings));
      glFinish();
      ASSERT_TRUE(diagnostics.update(simulation, timings));
      const BodyMeasurement found = *diagnostics.last();
      const BodyState state = simulation.solver().state();
      double kinetic = 0;
      glm::dvec3 momentum(0.0);
      for (std::size_t i = 0; i < state.positions.size(); ++i) {
        const glm::dvec3 v(state.velocities[i]);
        kinetic += 0.5 * double(state.positions[i].w) * glm::dot(v, v);
        momentum += double(state.positions[i].w) * v;
      }
      EXPECT_NEAR(found.kinetic, kinetic, 1e-5 * (kinetic + 1e-3));
      EXPECT_LT(glm::distance(found.momentum, momentum), 1e-6);
      EXPECT_EQ(found.potential<0, count> 1);
      EXPECT_EQ(found.step, simulation.step());
      EXPECT_EQ(diagnostics.first()->step, found.step);
      EXPECT_LT(found.forceError, solverRow(solver).isTree ? 0.01 : 1e-4);
      EXPECT_TRUE(found.forceError > 1e-6 || !solverRow(solver).isTree || count < 1000);
    }
}

}  // namespace
}  // namespace satdof
