#include "app/lab/results.h"

#include <gtest/gtest.h>

#include <cmath>

namespace satdof::lab {
namespace {

Curve curve(const std::vector<std::pair<double, double>>& times) {
  Curve made{.name = "a"};
  for (const auto& [x, us] : times) made.points.push_back({x, Spread{us, us, us, 1}, Spread{us, us, us, 1}});
  return made;
}

TEST(Results, SpreadIsOfSortedSamples) {
  std::vector<double> samples;
  for (int i = 100; i >= 0; --i) samples.push_back(i);
  EXPECT_EQ(spreadOf(samples), (Spread{50, 10, 90, 101}));
  EXPECT_EQ(spreadOf({3}), (Spread{3, 3, 3, 1}));
  EXPECT_EQ(spreadOf({}), Spread{});
}

TEST(Results, DurationsHaveThreeDigits) {
  EXPECT_EQ(durationText(0.0123), "12.3 ns");
  EXPECT_EQ(durationText(0.9996), "1.00 us");
  EXPECT_EQ(durationText(12.34), "12.3 us");
  EXPECT_EQ(durationText(123.4), "123 us");
  EXPECT_EQ(durationText(1234), "1.23 ms");
  EXPECT_EQ(durationText(2.5e6), "2.50 s");
}

TEST(Results, SizesOfPowersOfTwoHaveBinaryUnits) {
  EXPECT_EQ(sizeText(512), "512");
  EXPECT_EQ(sizeText(1024), "1 K");
  EXPECT_EQ(sizeText(1 << 21), "2 M");
  EXPECT_EQ(sizeText(1000), "1000");
  EXPECT_EQ(sizeText(2e6), "2e6");
  EXPECT_EQ(sizeText(21 << 20, true), "21 M");
}

TEST(Results, NotesNameTheirCurves) {
  ExperimentResult result{"scan", "Scans", "elements", ""};
  for (const auto& [name, note] : {std::pair("a", "ends at 2 M"), {"b", ""}, {"c", "no GPU"}, {"d", "no GPU"}})
    result.curves.push_back({.name = name, .note = note, .summary = name == std::string("d") ? "slow" : ""});
  const auto notes = notesOf(result);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].text, "a: ends at 2 M");
  EXPECT_TRUE(notes[0].curves.empty());
  EXPECT_EQ(notes[1].text, "2 curves: no GPU");
  EXPECT_EQ(notes[1].curves, (std::vector<std::string>{"c", "d: slow"}));
}

TEST(Results, TheMachineIsNamedWithDriverAndDate) {
  EXPECT_EQ(machineText({{"date", "2026-11-22"}, {"gl", "4.5"}, {"driver", "580"}, {"gpu", "H100"}, {"commit", "1"}}),
            "H100, driver 580, 2026-11-22, commit 1");
  EXPECT_EQ(machineText({}), "");
}

TEST(Results, SpreadsAndStoredCurvesAreExplainedOnce) {
  ExperimentResult result{"scan", "Scans", "elements", ""};
  const auto add = [&](int samples, const char* machine) {
    result.curves.push_back({.name = "a", .points = {{1, Spread{1, 1, 1, samples}, {}}}, .machine = machine});
  };
  EXPECT_TRUE(spreadNotes(result, Timed::kernel).empty());
  add(0, "");  // published
  EXPECT_TRUE(spreadNotes(result, Timed::kernel).empty());
  add(5, "");
  EXPECT_EQ(spreadNotes(result, Timed::kernel),
            (std::vector<std::string>{"bars: 10th to 90th percentile of 5 samples"}));
  add(25, "H100");
  add(9, "H100");
  EXPECT_EQ(spreadNotes(result, Timed::kernel),
            (std::vector<std::string>{"bars: 10th to 90th percentile of 5 to 25 samples", "stored, dashed: H100"}));
  EXPECT_EQ(spreadNotes(result, Timed::endToEnd), (std::vector<std::string>{"stored, dashed: H100"}));
}

TEST(Results, PathsAreCutDownToTheirLastPart) {
  EXPECT_EQ(withoutPaths("/home/me/satdof/cuda/scan/a.cu:12: cudaMalloc(x): out of memory"),
            "a.cu:12: cudaMalloc(x): out of memory");
  EXPECT_EQ(withoutPaths("cannot read \"/home/me/x.json\" or ../a/b (~/c)"), "cannot read \"x.json\" or b (c)");
  EXPECT_EQ(withoutPaths("1 / 2 of 3"), "1 / 2 of 3");
  EXPECT_EQ(withoutPaths("not built: configure with -DSATDOF_CUDA=ON"), "not built: configure with -DSATDOF_CUDA=ON");
  EXPECT_EQ(withoutPaths(""), "");
}

TEST(Results, TimesBetweenPointsAreOnStraightLinesOfTheLogarithms) {
  const Curve line = curve({{1, 2}, {100, 200}});
  EXPECT_EQ(timeAt(line, Timed::kernel, 1), 2);
  EXPECT_EQ(timeAt(line, Timed::kernel, 100), 200);
  EXPECT_NEAR(timeAt(line, Timed::kernel, 10).value(), 20, 1e-9);
  EXPECT_FALSE(timeAt(line, Timed::kernel, 0.5));
  EXPECT_FALSE(timeAt(line, Timed::kernel, 101));
  EXPECT_FALSE(timeAt(curve({}), Timed::kernel, 1));
}

TEST(Results, SpeedUpIsTheTimeOfTheBaselineOverTheTime) {
  EXPECT_NEAR(speedUp(curve({{1, 10}, {100, 1000}}), curve({{10, 4}}), Timed::endToEnd, 10).value(), 25, 1e-9);
  EXPECT_FALSE(speedUp(curve({{1, 10}}), curve({{10, 4}}), Timed::endToEnd, 10));
}

TEST(Results, CrossoverIsWhereTheLinesMeet) {
  const Curve processor = curve({{1, 1}, {100, 100}, {10000, 10000}});
  const Curve gpu = curve({{1, 50}, {100, 50}, {10000, 50}});
  EXPECT_NEAR(crossover(processor, gpu, Timed::kernel).value(), 50, 1e-6);
  EXPECT_NEAR(crossover(processor, curve({{1, 1000}, {10000, 1000}}), Timed::kernel).value(), 1000, 1e-6);
}

TEST(Results, TheLastCrossoverCounts) {
  const Curve baseline = curve({{1, 1}, {10, 1}, {100, 1}, {1000, 1}});
  EXPECT_NEAR(crossover(baseline, curve({{1, 0.1}, {10, 10}, {100, 10}, {1000, 0.1}}), Timed::kernel).value(),
              std::sqrt(1e5), 1e-6);
}

TEST(Results, NoCrossoverWithoutAChange) {
  const Curve baseline = curve({{1, 1}, {10, 10}});
  EXPECT_FALSE(crossover(baseline, curve({{1, 2}, {10, 20}}), Timed::kernel)) << "always slower";
  EXPECT_FALSE(crossover(baseline, curve({{1, 0.5}, {10, 5}}), Timed::kernel)) << "always faster";
  EXPECT_FALSE(crossover(baseline, curve({{1, 0.5}, {10, 50}}), Timed::kernel)) << "slower at last";
  EXPECT_FALSE(crossover(baseline, curve({{20, 1}}), Timed::kernel)) << "no common size";
  EXPECT_FALSE(crossover(baseline, baseline, Timed::kernel));
}

}  // namespace
}  // namespace satdof::lab
