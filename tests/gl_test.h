#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "app/gl/debug.h"
#include "app/headless.h"

// A fixture with a headless OpenGL context, shared by the process. Any OpenGL debug error fails the test.
class GlTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { static satdof::HeadlessContext context(true); }
  void SetUp() override { errorsBefore_ = satdof::gl::debugErrorCount(); }
  void TearDown() override {
    EXPECT_EQ(satdof::gl::debugErrorCount(), errorsBefore_) << satdof::gl::firstDebugError();
  }

 private:
  int errorsBefore_ = 0;
};
