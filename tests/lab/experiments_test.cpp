#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/core/usage_error.h"
#include "app/lab/experiment.h"
#include "app/lab/machine.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"
#include "tests/support/gl_fixture.h"

namespace satdof::lab {
namespace {

class LabExperiments : public GlTest {};

std::vector<std::string> idsOf(const std::vector<Experiment>& experiments) {
  std::vector<std::string> ids;
  for (const Experiment& each : experiments) ids.push_back(each.id);
  return ids;
}

template <class T>
T largest(const std::vector<T>& values) {
  return *std::ranges::max_element(values);
}

TEST_F(LabExperiments, RowsAreComplete) {
  std::set<std::string> ids{"curves", "figures"};
  for (const Experiment& each : experiments()) {
    SCOPED_TRACE(each.id);
    EXPECT_TRUE(ids.insert(each.id).second);
    EXPECT_EQ(each.id.find_first_of(", /"), each.id.npos) << "--lab-only and the names of rows separate there";
    EXPECT_FALSE(each.title.empty());
    EXPECT_FALSE(each.axis.empty());
    EXPECT_FALSE(each.series.empty());
    EXPECT_FALSE(each.xs.empty());
    EXPECT_TRUE(std::ranges::is_sorted(each.xs, std::ranges::less_equal()));
    EXPECT_TRUE(!each.source.empty() || each.published.empty());
    std::set<std::string> names;
    for (const Series& series : each.series) {
      EXPECT_TRUE(names.insert(series.name).second) << series.name;
      EXPECT_EQ(series.name.find('/'), series.name.npos) << series.name;
      EXPECT_FALSE(series.summary.empty()) << series.name;
    }
    for (const PublishedSeries& series : each.published) {
      EXPECT_TRUE(names.insert(series.name).second) << series.name;
      EXPECT_EQ(series.name.find('/'), series.name.npos) << series.name;
      EXPECT_FALSE(series.points.empty()) << series.name;
      EXPECT_TRUE(std::ranges::is_sorted(series.points, {}, &PublishedPoint::x)) << series.name;
    }
  }
}

TEST_F(LabExperiments, EverySeriesRunsOrHasAReason) {
  for (const Experiment& each : experiments())
    for (const Series& series : each.series) {
      SCOPED_TRACE(each.id + ", " + series.name);
      const Availability here = series.probe();
      if (!here.available) {
        EXPECT_FALSE(here.reason.empty());
        continue;
      }
      // The figures repeat the series at other sizes; the time of the work may grow with the size.
      if (!each.source.empty() || each.growth == 0) continue;
      const auto measurement = series.prepare(each.xs.front());
      const double times[] = {measurement->kernelUs(), measurement->endToEndUs()};
      for (const double timeUs : times) {
        EXPECT_GT(timeUs, 0);
        EXPECT_TRUE(std::isfinite(timeUs));
      }
    }
}

TEST_F(LabExperiments, SelectionKeepsTheOrderOfTheTable) {
  EXPECT_EQ(idsOf(selectExperiments("")), idsOf(experiments()));
  EXPECT_EQ(idsOf(selectExperiments("sort,scan")), (std::vector<std::string>{"scan", "sort"}));
  const auto curves = selectExperiments("curves"), figures = selectExperiments("figures");
  EXPECT_EQ(curves.size() + figures.size(), experiments().size());
  for (const Experiment& each : curves) EXPECT_EQ(each.source, "");
  for (const char* bad : {"scans", "scan,,sort", "scan, sort", ","}) EXPECT_THROW(selectExperiments(bad), UsageError);
}

// The stored GPU measurements fit the experiments: each CUDA series has a stored curve, and each curve belongs to a
// series.
TEST_F(LabExperiments, StoredCurvesAreOfTheSeriesOfCuda) {
  const Results stored = storedResults();
  auto all = experiments();
  for (const ExperimentResult& result : stored.experiments) {
    const auto experiment = std::ranges::find(all, result.id, &Experiment::id);
    ASSERT_NE(experiment, all.end()) << result.id;
    for (const Curve& curve : result.curves) {
      EXPECT_FALSE(curve.machine.empty()) << curve.name;
      for (const Point& point : curve.points)
        for (const auto& time : {point.kernel, point.endToEnd})
          EXPECT_GE(time.value_or(Spread{.samples = 5}).samples, 5) << curve.name << " at " << point.x;
    }
  }
  addStored(all, stored);
  for (const Experiment& each : all)
    for (const Curve& curve : each.stored) EXPECT_TRUE(curve.name.ends_with(", stored"));
}

TEST_F(LabExperiments, StoredCurvesReplaceTheScansOfAMissingGpu) {
  if (availability(Scan{}).available) GTEST_SKIP() << "the scans run here";
  auto all = experiments();
  addStored(all, storedResults());
  const auto scan = std::ranges::find(all, "scan", &Experiment::id);
  EXPECT_GE(scan->stored.size(), 9u);
}

TEST_F(LabExperiments, TheShortOnesHaveThreeSizes) {
  for (const Experiment& each : shortExperiments()) EXPECT_LE(each.xs.size(), 3u) << each.id;
}

TEST_F(LabExperiments, MachineNamesNoHost) {
  std::set<std::string> keys;
  for (const auto& [key, value] : machineAndVersions()) {
    EXPECT_FALSE(value.empty()) << key;
    keys.insert(key);
  }
  for (const char* key : {"gpu", "driver", "cpu", "cuda", "version", "commit", "date"})
    EXPECT_EQ(keys.count(key), 1u) << key;
  EXPECT_EQ(keys.count("host") + keys.count("user"), 0u);
}

TEST(LabMeasurements, RandomDataIsInRangeAndRepeats) {
  const auto words = randomWords(10000, 256);
  EXPECT_EQ(words, randomWords(10000, 256));
  EXPECT_LT(largest(words), 256u);
  EXPECT_EQ(std::set<std::uint32_t>(words.begin(), words.end()).size(), 256u);
  EXPECT_GT(largest(randomWords(1000, std::uint64_t{1} << 32)), 1u << 31);
  const auto flags = randomFlags(100000, 20);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(flags, 1u)), 20000, 600);
  EXPECT_EQ(std::ranges::count(flags, 0u) + std::ranges::count(flags, 1u), 100000);
  EXPECT_EQ(std::ranges::count(randomFlags(1000, 100), 1u), 1000);
  EXPECT_LT(largest(randomHalves(10000)), 0x3c00);
}

TEST(LabMeasurements, ResetRunsBeforeEachCallAndIsNotTimed) {
  std::string calls;
  const auto measurement = measureOnProcessor([&] { calls += 'w'; }, [&] { calls += 'r'; });
  measurement->kernelUs();
  measurement->kernelUs();
  EXPECT_EQ(calls, "rwrw");
}

TEST(LabSeries, GeometricSizes) {
  EXPECT_EQ(geometric(1, 8, 2), (std::vector<double>{1, 2, 4, 8}));
  EXPECT_EQ(geometric(1, 7, 2), (std::vector<double>{1, 2, 4}));
}

}  // namespace
}  // namespace satdof::lab
