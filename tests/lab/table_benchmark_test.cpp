#include "app/lab/table_benchmark.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/gl/gl_test.h"

namespace satdof {
namespace {

constexpr glm::ivec2 kSize{64, 48};

class TableBenchmarkTest : public GlTest {};

void finish(TableBenchmark& benchmark) {
  while (!benchmark.finished()) benchmark.advance();
}

TEST_F(TableBenchmarkTest, MeasuresEveryAvailableTechniqueAndTheCopy) {
  TableBenchmark benchmark(kSize);
  EXPECT_EQ(benchmark.size(), kSize);
  EXPECT_EQ(benchmark.progress(), 0.0f);
  finish(benchmark);
  EXPECT_EQ(benchmark.progress(), 1.0f);
  EXPECT_GT(benchmark.copy().timeUs, 0.0f);
  EXPECT_TRUE(std::isfinite(benchmark.copy().timeUs));

  const auto techniques = availableTechniques();
  ASSERT_GE(techniques.size(), 4u) << "both of OpenGL's and both of the processor's";
  std::set<std::string> names;
  for (const auto& row : benchmark.rows()) {
    names.insert(row.name);
    EXPECT_EQ(row.error, "") << row.name;
    EXPECT_GT(row.timeUs, 0.0f) << row.name;
    EXPECT_TRUE(std::isfinite(row.timeUs)) << row.name;
    float sumUs = 0.0f;
    for (const auto& stage : row.stages) sumUs += stage.medianUs;
    ASSERT_GE(row.samplesUs.size(), 10u) << row.name;
    for (const float sampleUs : row.samplesUs) EXPECT_GT(sampleUs, 0.0f) << row.name;
    EXPECT_FLOAT_EQ(row.timeUs, sumUs) << row.name;
    EXPECT_NE(std::ranges::find(techniques, row.technique), techniques.end()) << row.name;
    EXPECT_THAT(benchmarkText(benchmark), testing::HasSubstr("\n" + row.name + " "));
  }
  EXPECT_EQ(names.size(), techniques.size());
  EXPECT_EQ(benchmark.rows().size(), techniques.size());
  EXPECT_TRUE(std::ranges::is_sorted(benchmark.rows(), {}, &BenchmarkRow::timeUs));
}

TEST_F(TableBenchmarkTest, AdvancesByOneBuildAtMost) {
  TableBenchmark benchmark(kSize, {{.device = DeviceId::cpu}});
  for (int before = 0; !benchmark.finished(); before = benchmark.buildsDone()) {
    benchmark.advance();
    EXPECT_GE(benchmark.buildsDone(), before);
    EXPECT_LE(benchmark.buildsDone(), before + 1);
  }
  EXPECT_EQ(benchmark.buildsDone(), benchmark.builds());
}

TEST_F(TableBenchmarkTest, CancelKeepsFinishedMeasurements) {
  TableBenchmark benchmark(kSize, {{.device = DeviceId::cpu}, {.device = DeviceId::cpuSequential}});
  while (benchmark.rows().empty()) benchmark.advance();
  benchmark.advance();
  benchmark.cancel();
  EXPECT_TRUE(benchmark.finished());
  const float progress = benchmark.progress();
  benchmark.advance();
  EXPECT_EQ(benchmark.progress(), progress);
  ASSERT_EQ(benchmark.rows().size(), 1u);
  EXPECT_EQ(benchmark.rows()[0].technique.device, DeviceId::cpu);
  EXPECT_GT(benchmark.rows()[0].timeUs, 0.0f);
}

TEST_F(TableBenchmarkTest, ReportsWhyATechniqueFailedInItsRow) {
  TableBenchmark benchmark(kSize,
                           {{.device = DeviceId::cuda, .table = {.scan = Scan::warpShuffle, .blockSize = 1}},
                            {.device = DeviceId::cpu}});
  finish(benchmark);
  EXPECT_EQ(benchmark.progress(), 1.0f);
  ASSERT_EQ(benchmark.rows().size(), 2u);
  EXPECT_EQ(benchmark.rows()[0].name, "cpu");
  EXPECT_EQ(benchmark.rows()[0].error, "");
  EXPECT_EQ(benchmark.rows()[1].name, "cuda warp-shuffle");
  EXPECT_NE(benchmark.rows()[1].error, "");
  EXPECT_THAT(benchmarkText(benchmark), testing::HasSubstr(benchmark.rows()[1].error));
}

}  // namespace
}  // namespace satdof
