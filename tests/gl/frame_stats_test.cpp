#include "app/gl/frame_stats.h"

#include <gtest/gtest.h>

#include "app/core/system/abandon.h"

namespace satdof {

namespace {

TEST(TimingsTest, PercentilesRestartWithTheWorkload) {
  Timings timings;
  for (int i = 0; i < 40; ++i) timings.report("table", Clock::cpu, 900.0f);
  timings.restart();
  const auto& stage = timings.stats().stages.at(0);
  EXPECT_EQ(stage.medianUs(), 0.0f);
  for (const float timeUs : {3.0f, 1.0f, 2.0f}) timings.report("table", Clock::cpu, timeUs);
  EXPECT_EQ(stage.medianUs(), 2.0f);
  EXPECT_EQ(stage.percentileUs(0.99), 3.0f);
  EXPECT_EQ(stage.samplesUs.size(), 43u);
}

TEST(TimingsTest, TheFrameOfTheWorkloadChangeIsNotCounted) {
  Timings timings;
  timings.beginFrame();
  timings.beginFrame();
  timings.restart();
  timings.beginFrame();
  EXPECT_EQ(timings.stats().frame.counted, 0u);
  timings.beginFrame();
  EXPECT_EQ(timings.stats().frame.counted, 1u);
  EXPECT_EQ(timings.stats().frame.samplesUs.size(), 2u);
}

TEST(TimingsTest, CountsOnlyTheHistory) {
  Timings timings;
  for (int i = 0; i < 2 * Timings::kHistory; ++i)
    timings.report("table", Clock::cpu, i < Timings::kHistory ? 1.0f : 2.0f);
  EXPECT_EQ(timings.stats().stages.at(0).percentileUs(0.0), 2.0f);
}

TEST(TimingsTest, AStageOfEarlierFramesIsNoPartOfTheFramesOfNow) {
  Timings timings;
  timings.report("table", Clock::cpu, 1.0f);
  for (int i = 0; i < Timings::kRing; ++i) timings.endFrame();
  EXPECT_TRUE(timings.stats().stages.at(0).isCurrent()) << "times of the GPU arrive late";
  for (int i = 0; i <= Timings::kRing; ++i) timings.endFrame();
  EXPECT_FALSE(timings.stats().stages.at(0).isCurrent());
  timings.report("table", Clock::cpu, 1.0f);
  EXPECT_TRUE(timings.stats().stages.at(0).isCurrent());
}

TEST(TimingsTest, SidesHaveStagesOfTheirOwn) {
  Timings timings;
  {
    const Timings::Prefix side(timings, "B: ");
    timings.report("table", Clock::cpu, 1.0f);
    (void)timings.cpu("lens");
  }
  timings.report("table", Clock::cpu, 2.0f);
  std::vector<std::string> names;
  for (const Stage& stage : timings.stats().stages) names.push_back(stage.name);
  EXPECT_EQ(names, (std::vector<std::string>{"B: table", "B: lens", "table"}));
}

TEST(TimingsTest, AStageMayAbandonTheFrame) {
  Timings timings;
  bool wanted = false;
  {
    const AbandonFramesScope mayAbandon([&] { return wanted; });
    EXPECT_NO_THROW((void)timings.cpu("scene"));
    wanted = true;
    EXPECT_THROW((void)timings.cpu("table"), FrameAbandoned);
  }
  EXPECT_NO_THROW((void)timings.cpu("table"));
}

}  // namespace

}  // namespace satdof
