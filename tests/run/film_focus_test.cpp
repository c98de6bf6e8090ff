#include "app/run/film/film_focus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace satdof {
namespace {

float dioptersAt(const Track& track, double timeS) {
  return 1.0f / valueAt(Interpolation::diopters, track.keys, timeS);
}

// Random walks with jumps: the focus stays near the measured distance, never moves faster than the autofocus may, and
// is followed by the keys.
TEST(FilmFocus, FollowsWithinItsSpeed) {
  std::mt19937 random(5);
  const auto uniform = [&](float from, float to) { return std::uniform_real_distribution<float>(from, to)(random); };
  for (int run = 0; run < 60; ++run) {
    const LensSettings lens{.autofocus = true,
                            .autofocusOn = run % 2 == 0 ? AutofocusOn::tracked : AutofocusOn::area,
                            .autofocusSpeed = uniform(0.1f, 5.0f),
                            .autofocusDelayS = uniform(0.0f, 0.3f)};
    const float rate = uniform(10.0f, 60.0f);
    std::vector<float> measured{uniform(0.1f, 2.0f)};
    for (int i = 1; i < 200; ++i) {
      const float step = i % 50 == 0 ? uniform(-1.0f, 1.0f) : uniform(-0.01f, 0.01f);
      measured.push_back(std::clamp(measured.back() + step, 0.05f, 5.0f));
    }
    measured.resize(200 + static_cast<std::size_t>(60 * rate), measured.back());
    const auto find = [&](long frame) {
      return FilmFocus::Found{lens, 1.0f / measured[static_cast<std::size_t>(frame)]};
    };
    FilmFocus focus;
    std::vector<float> focusM;
    for (long frame = 0; frame < std::ssize(measured); ++frame) {
      focusM.push_back(focus.at(frame, rate, find));
      const float before = frame > 0 ? focusM[focusM.size() - 2] : focusM.back();
      ASSERT_LE(std::abs(1.0f / focusM.back() - 1.0f / before), 1.0001f * lens.autofocusSpeed / rate + 1e-5f);
    }
    EXPECT_EQ(FilmFocus().at(150, rate, find), focusM[150]) << "a range that begins there";
    EXPECT_EQ(focus.at(70, rate, find), focusM[70]);

    const Track track = focusTrack(focusM, rate);
    EXPECT_EQ(track.field, "lens.focusDistanceM");
    EXPECT_NEAR(dioptersAt(track, 0), measured[0], 1e-4f) << "starts in focus";
    EXPECT_NEAR(dioptersAt(track, 1e6), measured.back(), 0.005f) << "arrives";
    EXPECT_LT(track.keys.size(), 200u) << "few keys at rest";
    for (std::size_t frame = 0; frame < focusM.size(); ++frame)
      ASSERT_NEAR(dioptersAt(track, static_cast<double>(frame) / static_cast<double>(rate)), 1.0f / focusM[frame],
                  0.0021f);
  }
}

TEST(FilmFocus, GoesOnFromTheFocusOfFramesWithoutAutofocus) {
  LensSettings lens{.autofocusOn = AutofocusOn::tracked, .autofocusSpeed = 1.0f};
  FilmFocus focus;
  const auto at = [&](long frame, bool autofocus, float foundM) {
    lens.autofocus = autofocus;
    return focus.at(frame, 10.0f, [&](long) { return FilmFocus::Found{lens, foundM}; });
  };
  EXPECT_EQ(at(0, false, 2.0f), 2.0f);
  EXPECT_EQ(at(1, false, 1.0f), 1.0f) << "as the keys say";
  EXPECT_FLOAT_EQ(at(2, true, 0.8f), 1.0f / 1.1f);
  EXPECT_FLOAT_EQ(at(3, true, 0.8f), 1.0f / 1.2f);
  EXPECT_FLOAT_EQ(at(4, true, 0.8f), 0.8f);
}

TEST(FilmFocus, AMotionAtOneSpeedTakesTwoKeys) {
  std::vector<float> focusM;
  for (int i = 0; i <= 100; ++i) focusM.push_back(1.0f / (0.5f + 0.01f * static_cast<float>(i)));
  const Track track = focusTrack(focusM, 25.0f);
  ASSERT_EQ(track.keys.size(), 2u);
  EXPECT_NEAR(track.keys[1].value, 1.0f / 1.5f, 1e-5f);
  EXPECT_EQ(track.keys[1].timeS, 4.0);
}

}  // namespace
}  // namespace satdof
