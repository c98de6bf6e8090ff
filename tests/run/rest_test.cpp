#include "app/run/window/rest.h"

#include <gtest/gtest.h>

namespace satdof {
namespace {

class RestTest : public testing::Test {
 protected:
  RestTest() {
    session_.settings.scene.animate = false;
    session_.shown.whyStill = "nothing moves";
  }
  // Draws for `seconds`. Returns whether the window rests then.
  bool restsAfter(double seconds, const WindowNews& news = {}) {
    bool rests = false;
    for (const double endS = nowS_ + seconds; nowS_ < endS; nowS_ += 0.1)
      rests = rest_.rests(session_, news, draws_++, nowS_);
    return rests;
  }
  Session session_;
  WindowRest rest_;
  long draws_ = 0;
  double nowS_ = 0.0;
};

TEST_F(RestTest, ComesAMomentAfterTheLastChange) {
  EXPECT_FALSE(restsAfter(0.5));
  EXPECT_TRUE(restsAfter(1.0));
}

TEST_F(RestTest, IsEndedByNews) {
  for (bool WindowNews::*news : {&WindowNews::input, &WindowNews::image, &WindowNews::panels, &WindowNews::work}) {
    EXPECT_TRUE(restsAfter(2.0));
    WindowNews some;
    some.*news = true;
    EXPECT_FALSE(restsAfter(2.0, some));
  }
}

TEST_F(RestTest, IsEndedOnceByEachChange) {
  EXPECT_TRUE(restsAfter(2.0));
  session_.settings.lens.fNumber = 8;
  EXPECT_FALSE(restsAfter(0.1));
  EXPECT_TRUE(restsAfter(2.0));
  session_.report("capture", "no space");
  EXPECT_FALSE(restsAfter(0.1));
  EXPECT_TRUE(restsAfter(2.0));
  WindowNews answered;
  answered.lateAnswers = 1;
  EXPECT_FALSE(restsAfter(0.1, answered));
  EXPECT_TRUE(restsAfter(2.0, answered));
}

// Two changes at once are both seen: the later one does not end a later rest.
TEST_F(RestTest, SeesChangesThatComeTogether) {
  EXPECT_TRUE(restsAfter(2.0));
  session_.settings.lens.fNumber = 8;
  session_.report("capture", "no space");
  EXPECT_FALSE(restsAfter(0.1, {.input = true, .lateAnswers = 1}));
  EXPECT_TRUE(restsAfter(1.0, {.lateAnswers = 1}));
}

TEST_F(RestTest, WaitsForCommandsAndForWhatMoves) {
  session_.request({Command::undo});
  EXPECT_FALSE(restsAfter(2.0));
  session_.commands.clear();
  EXPECT_TRUE(restsAfter(2.0));
  session_.lab.running = true;
  EXPECT_FALSE(restsAfter(2.0));
  session_.lab.running = false;
  session_.slow.shown = session_.slow.open = true;
  EXPECT_FALSE(restsAfter(2.0));
  session_.slow.shown = false;
  EXPECT_TRUE(restsAfter(2.0)) << "a hidden panel records nothing";
  session_.focus.pull.emplace();
  EXPECT_FALSE(restsAfter(2.0));
  session_.focus.pull.reset();
  session_.settings.scene.animate = true;
  session_.shown.whyStill.clear();
  EXPECT_FALSE(restsAfter(2.0));
}

TEST_F(RestTest, ANoticeIsDrawnUntilItIsHidden) {
  EXPECT_TRUE(restsAfter(2.0));
  session_.say("Saved");
  EXPECT_FALSE(restsAfter(2.0));
  EXPECT_TRUE(rest_.settled()) << "slow frames suffice";
  session_.notices.ageS = kNoticeS;
  EXPECT_TRUE(restsAfter(0.1));
}

}  // namespace
}  // namespace satdof
