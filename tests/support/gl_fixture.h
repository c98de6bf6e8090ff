#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "app/gl/debug.h"
#include "app/run/system/headless_context.h"

// A fixture with a headless OpenGL context, shared by the process and never destroyed: Mesa leaves memory
// behind when it unloads its driver. Any OpenGL debug error fails the test.
class GlTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    [[maybe_unused]] static const auto* const context = new satdof::HeadlessContext(true);
  }
  void SetUp() override { errorsBefore_ = satdof::gl::debugErrorCount(); }
  void TearDown() override { EXPECT_EQ(satdof::gl::debugErrorCount(), errorsBefore_) << satdof::gl::firstDebugError(); }

 private:
  int errorsBefore_ = 0;
};
