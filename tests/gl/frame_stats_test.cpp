#include "app/gl/frame_stats.h"

#include <gtest/gtest.h>

#include "app/gl/abandon.h"

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

TEST(TimingsTest, AStageMayAbandonTheFrame) {
  Timings timings;
  bool wanted = false;
  {
    const gl::MayAbandonFrames mayAbandon([&] { return wanted; });
    EXPECT_NO_THROW((void)timings.cpu("scene"));
    wanted = true;
    EXPECT_THROW((void)timings.cpu("table"), gl::FrameAbandoned);
  }
  EXPECT_NO_THROW((void)timings.cpu("table"));
}

}  // namespace

}  // namespace satdof
