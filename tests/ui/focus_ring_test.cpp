#include "app/ui/image/focus_ring.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/lens/depth_of_field.h"
#include "app/ui/keys.h"

namespace satdof {
namespace {

float diopters(const Session& session) { return 1.0f / session.settings.lens.focusDistanceM; }

TEST(FocusRing, BetweenThePairOfMarksOfAnApertureAllIsSharp) {
  for (const float focusM : {0.4f, 1.7f, 6.0f, 300.0f}) {
    LensSettings lens;
    lens.focalLengthMm = 35.0f;
    lens.focusDistanceM = focusM;
    float last = 0.0f;
    for (const auto& [fNumber, offset] : sharpLimits(lens)) {
      lens.fNumber = fNumber;
      const DepthOfField range = depthOfField(lens);
      const float focus = focusPosition(focusM);
      EXPECT_NEAR(focus - offset, focusPosition(range.nearM), 1e-4f);
      if (focus + offset < 0.999f) {
        EXPECT_NEAR(focus + offset, focusPosition(range.farM), 1e-4f);
      } else {
        EXPECT_GT(range.farM, 100.0f) << "beyond infinity";
      }
      EXPECT_GT(offset, last);
      last = offset;
    }
  }
}

TEST(FocusRing, APullGoesToItsMarkInItsTimeAndNeverBeyond) {
  Session session;
  float& focusM = session.settings.lens.focusDistanceM;
  focusM = 4;
  storeMark(session, 1);
  focusM = 0.5f;
  session.settings.lens.autofocus = true;
  session.preferences.pullS = 1;
  session.focus.showsRing = true;
  typeCharacter(session, '2', false);
  EXPECT_FALSE(session.settings.lens.autofocus);
  EXPECT_EQ(session.settings.technique.view, View::final) << "the ring has the number keys";
  float last = diopters(session), fastest = 0;
  for (int frame = 0; session.focus.pull && frame < 50; ++frame) {
    advancePull(session, frame == 0 ? 0.0 : 1.0 / 39);
    const float now = diopters(session);
    EXPECT_LE(now, last);
    fastest = std::max(fastest, last - now);
    last = now;
    if (frame == 1) {
      EXPECT_LT(2.0f - now, 0.01f) << "slowly at its start";
    }
  }
  EXPECT_FALSE(session.focus.pull);
  EXPECT_EQ(focusM, 4.0f);
  EXPECT_LT(fastest, 1.6f * 1.75f / 39) << "no jump";
}

TEST(FocusRing, APullEndsIfTheFocusIsMovedByHand) {
  Session session;
  float& focusM = session.settings.lens.focusDistanceM;
  session.preferences.focusMarks[0] = 3.0f;
  recallMark(session, 0);
  advancePull(session, 0.25);
  focusM = 1.25f;
  advancePull(session, 0.25);
  EXPECT_FALSE(session.focus.pull);
  EXPECT_EQ(focusM, 1.25f);
  recallMark(session, 3);
  EXPECT_FALSE(session.focus.pull) << "a mark that is not set";
}

TEST(FocusRing, APullInTheTimelineSetsKeys) {
  Session session;
  session.timeline.shown = true;
  session.timeline.timeS = 2;
  session.settings.lens.focusDistanceM = 1;
  session.preferences.focusMarks[0] = 3.0f;
  session.preferences.pullS = 1.5f;
  recallMark(session, 0);
  EXPECT_FALSE(session.focus.pull);
  EXPECT_EQ(durationS(session.shot()), 3.5);
  EXPECT_EQ(settingsAt(session.shot(), {}, 2).lens.focusDistanceM, 1.0f);
  EXPECT_EQ(settingsAt(session.shot(), {}, 3.5).lens.focusDistanceM, 3.0f);
}

}  // namespace
}  // namespace satdof
