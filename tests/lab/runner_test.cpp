#include "app/lab/runner.h"
#include "app/lab/laboratory.h"

#include <gmock/gmock.h>

#include "app/gl/program.h"
#include "tests/lab/fake_experiment.h"
#include "tests/support/gl_fixture.h"

namespace satdof::lab {
namespace {

using test::experiment;
using test::failing;
using test::FakeClock;
using test::linear;
using test::missing;
using testing::HasSubstr;

constexpr Budget kShort{.pointUs = 100, .sampleUs = 1000};

void finish(Runner& runner) {
  while (!runner.finished()) runner.advance();
}

std::vector<double> sizesOf(const Curve& curve) {
  std::vector<double> xs;
  for (const Point& point : curve.points) xs.push_back(point.x);
  return xs;
}

TEST(Runner, MeasuresEveryPointOfEverySeries) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 1, 5), linear(clock, "b", 0.5, 0)})}, kShort, clock.clock());
  EXPECT_EQ(runner.points(), 6);
  EXPECT_EQ(runner.progress(), 0.0f);
  EXPECT_EQ(runner.current(), "fake, a, 1");
  finish(runner);
  EXPECT_EQ(runner.pointsDone(), 6);
  EXPECT_EQ(runner.progress(), 1.0f);
  EXPECT_EQ(runner.current(), "");
  ASSERT_EQ(runner.results().size(), 1u);
  const auto& result = runner.results()[0];
  EXPECT_EQ(result.id, "fake");
  ASSERT_EQ(result.curves.size(), 2u);
  EXPECT_EQ(sizesOf(result.curves[0]), (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(result.curves[0].points[1].kernel->medianUs, 10);
  EXPECT_EQ(result.curves[0].points[1].endToEnd->medianUs, 15);
  EXPECT_EQ(result.curves[1].points[2].kernel->medianUs, 50);
  EXPECT_EQ(result.curves[1].note, "");
}

TEST(Runner, TakesOneSampleAStep) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 1, 0)}, {40})}, kShort, clock.clock());
  while (!runner.finished()) {
    const double before = clock.nowUs;
    runner.advance();
    EXPECT_LE(clock.nowUs - before, 80) << "one kernel time and one time from end to end";
  }
  EXPECT_GE(runner.results()[0].curves[0].points[0].kernel->samples, 3);
}

TEST(Runner, AdvancesForATime) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 1, 0)}, {40})}, kShort, clock.clock());
  runner.advance(100.0);
  EXPECT_GE(clock.nowUs, 100);
  EXPECT_LE(clock.nowUs, 180);
  EXPECT_FALSE(runner.finished());
}

TEST(Runner, PointsHaveAtLeastFiveSamplesHoweverSlow) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 50, 0)}, {10})}, kShort, clock.clock());
  finish(runner);
  EXPECT_EQ(runner.results()[0].curves[0].points.at(0).kernel->samples, 5);
}

TEST(Runner, ProcessorsHaveNoCopies) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 1, 1000, DeviceKind::processor)})}, kShort, clock.clock());
  finish(runner);
  for (const Point& point : runner.results()[0].curves[0].points) EXPECT_EQ(point.endToEnd, point.kernel);
}

TEST(Runner, CancelKeepsMeasurements) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 1, 0), linear(clock, "b", 1, 0)})}, kShort, clock.clock());
  while (runner.pointsDone() < 2) runner.advance();
  runner.advance();
  runner.cancel();
  EXPECT_TRUE(runner.finished());
  EXPECT_TRUE(runner.cancelled());
  runner.advance();
  EXPECT_EQ(runner.pointsDone(), 2);
  EXPECT_EQ(sizesOf(runner.results()[0].curves[0]), (std::vector<double>{1, 10}));
  EXPECT_TRUE(runner.results()[0].curves[1].points.empty());
}

TEST(Runner, AnErrorEndsItsCurveOnly) {
  FakeClock clock;
  Runner runner({experiment({failing(clock, "a", 10), missing("b"), linear(clock, "c", 1, 0)})}, kShort, clock.clock());
  finish(runner);
  const auto& curves = runner.results()[0].curves;
  EXPECT_EQ(sizesOf(curves[0]), (std::vector<double>{1}));
  EXPECT_EQ(curves[0].note, "no memory for 10");
  EXPECT_TRUE(curves[1].points.empty());
  EXPECT_EQ(curves[1].note, "needs an NVIDIA GPU: no such device");
  EXPECT_EQ(sizesOf(curves[2]), (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(runner.progress(), 1.0f);
}

TEST(Runner, MissingSeriesSayWhyFromTheStart) {
  Series gpu = missing("a"), processor = missing("b");
  gpu.summary = "what it does";
  processor.kind = DeviceKind::processor;
  const Runner runner({experiment({gpu, processor})});
  const auto& curves = runner.results()[0].curves;
  EXPECT_EQ(curves[0].note, "needs an NVIDIA GPU: no such device");
  EXPECT_EQ(curves[0].summary, "what it does");
  EXPECT_EQ(curves[1].note, "no such device");
}

TEST(Runner, EndsACurveBeforeASampleThatWouldTakeTooLong) {
  FakeClock clock;
  Runner runner({experiment({linear(clock, "a", 20, 0)})}, kShort, clock.clock());
  finish(runner);
  const Curve& curve = runner.results()[0].curves[0];
  EXPECT_EQ(sizesOf(curve), (std::vector<double>{1, 10}));
  EXPECT_EQ(curve.note, "ends at 10: 100 would take about 2.00 ms");
  EXPECT_EQ(runner.progress(), 1.0f);
}

TEST(Runner, NotesHaveTheUnitsOfTheAxis) {
  FakeClock clock;
  Experiment powers = experiment({linear(clock, "a", 0.1, 0)});
  powers.xs = {1024, 1 << 21};
  Runner runner({powers}, kShort, clock.clock());
  finish(runner);
  EXPECT_TRUE(runner.results()[0].curves[0].note.starts_with("ends at 1 K: 2 M would take about "));
}

TEST(Runner, TheGrowthOfTheTimeCounts) {
  FakeClock clock;
  Experiment squares = experiment({linear(clock, "a", 2, 0)});
  squares.growth = 2;
  Runner runner({squares}, kShort, clock.clock());
  finish(runner);
  EXPECT_EQ(sizesOf(runner.results()[0].curves[0]), (std::vector<double>{1, 10}));
}

TEST(Runner, LeavesOutTheRestWhenTheTimeIsOver) {
  FakeClock clock;
  Budget budget = kShort;
  budget.totalUs = 150;
  Runner runner({experiment({linear(clock, "a", 1, 0), linear(clock, "b", 1, 0)})}, budget, clock.clock());
  finish(runner);
  EXPECT_THAT(runner.results()[0].curves[1].note, HasSubstr("the time for all experiments is over"));
  EXPECT_TRUE(runner.results()[0].curves[1].points.empty());
}

TEST(Runner, ShowsPublishedTimesFromTheStart) {
  FakeClock clock;
  Experiment of = experiment({linear(clock, "a", 1, 0)});
  of.published = {{"book, processor", DeviceKind::processor, true, {{10, 3}}},
                  {"book, GPU", DeviceKind::cuda, true, {{10, 2}}}};
  const Runner runner({of}, kShort, clock.clock());
  const auto& curves = runner.results()[0].curves;
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_TRUE(curves[1].published);
  EXPECT_EQ(curves[1].points[0].kernel->medianUs, 3);
  EXPECT_EQ(curves[1].points[0].endToEnd->medianUs, 3);
  EXPECT_FALSE(curves[2].points[0].kernel);
  EXPECT_EQ(curves[2].points[0].endToEnd->medianUs, 2);
  EXPECT_EQ(curves[2].points[0].endToEnd->samples, 0);
}

TEST(Runner, ShowsStoredCurvesOfSeriesThatCannotRun) {
  FakeClock clock;
  std::vector<Experiment> all{experiment({linear(clock, "a", 1, 0), missing("b"), missing("c")})};
  const Curve a{.name = "a", .points = {{1, {}, {}}}, .machine = "elsewhere"};
  Curve b = a;
  b.name = "b";
  addStored(all, {{}, {{"other", "", "", "", {b}}, {"fake", "", "", "", {a, b}}}});
  const Runner runner(all, kShort, clock.clock());
  const auto& curves = runner.results()[0].curves;
  ASSERT_EQ(curves.size(), 4u) << "none of \"a\", which runs here";
  EXPECT_EQ(curves[3].name, "b, stored");
  EXPECT_EQ(curves[3].machine, "elsewhere");
  EXPECT_EQ(curves[3].points, b.points);
}

TEST(Laboratory, KeepsTheResultsOfEveryExperiment) {
  FakeClock clock;
  Experiment published = experiment({linear(clock, "b", 2, 0)});
  published.published = {{"book", DeviceKind::cuda, false, {{10, 2}}}};
  Laboratory lab({experiment({linear(clock, "a", 1, 0)}), published}, kShort, clock.clock());
  EXPECT_FALSE(lab.running());
  EXPECT_EQ(lab.result(1).curves[1].name, "book");
  lab.start(0);
  while (lab.running()) lab.advance(10);
  EXPECT_EQ(lab.progress(), 1.0f);
  lab.start(1);
  EXPECT_EQ(sizesOf(lab.result(0).curves[0]), (std::vector<double>{1, 10, 100}));
  EXPECT_TRUE(lab.result(1).curves[0].points.empty());
  EXPECT_TRUE(lab.running());
  while (lab.result(1).curves[0].points.empty()) lab.advance(10);
  lab.cancel();
  EXPECT_FALSE(lab.running());
  lab.advance(1000);
  EXPECT_EQ(sizesOf(lab.result(1).curves[0]), (std::vector<double>{1}));
}

TEST(Runner, NothingToMeasure) {
  EXPECT_TRUE(Runner({}).finished());
  EXPECT_EQ(Runner({}).progress(), 1.0f);
  FakeClock clock;
  Runner runner({experiment({}), experiment({linear(clock, "a", 1, 0)}, {}), experiment({missing("b")})});
  finish(runner);
  EXPECT_EQ(runner.progress(), 1.0f);
}

using RunnerOnOpenGl = GlTest;

TEST_F(RunnerOnOpenGl, WaitsForShadersBeforeTheFirstSample) {
  FakeClock clock;
  std::vector<gl::Program> programs;
  Series series = linear(clock, "a", 1, 0);
  series.prepare = [&programs, works = series.prepare](double size) {
    programs.emplace_back(std::vector<std::string>{"bokeh/collect.comp"});  // without its macros
    return works(size);
  };
  Runner runner({experiment({series})}, kShort, clock.clock());
  finish(runner);
  EXPECT_THAT(runner.results()[0].curves[0].note, HasSubstr("cannot compile the shader"));
}

}  // namespace
}  // namespace satdof::lab
