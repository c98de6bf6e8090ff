#include "app/run/window/measurements.h"

#include <gtest/gtest.h>

#include "tests/gl/gl_test.h"

namespace satdof {
namespace {

class MeasurementsTest : public GlTest {
 protected:
  MeasurementsTest() {
    session_.settings.size = {64, 48};
    session_.benchmarking = true;
  }

  Session session_;
  Measurements measurements_;
};

TEST_F(MeasurementsTest, TheBenchmarkHasTheSizeOfTheWindowWhateverIsDrawn) {
  for (int frame = 0; frame < 3; ++frame) measurements_.advance(session_);
  EXPECT_TRUE(session_.benchmarking);
  ASSERT_NE(measurements_.benchmark(), nullptr);
  EXPECT_EQ(measurements_.benchmark()->size(), session_.settings.size);
  EXPECT_GT(measurements_.benchmark()->buildsDone(), 0);
}

TEST_F(MeasurementsTest, ANewWindowSizeEndsTheBenchmark) {
  measurements_.advance(session_);
  session_.settings.size = {32, 24};
  measurements_.advance(session_);
  EXPECT_FALSE(session_.benchmarking);
}

}  // namespace
}  // namespace satdof
