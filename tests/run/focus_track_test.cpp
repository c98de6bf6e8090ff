#include "app/run/focus_track.h"

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

// Random walks with jumps: the keys stay near the measured distance, and never move faster than the autofocus may.
TEST(FocusTrack, FollowsWithinItsSpeed) {
  std::mt19937 random(5);
  const auto uniform = [&](float from, float to) {
    return std::uniform_real_distribution<float>(from, to)(random);
  };
  for (int run = 0; run < 60; ++run) {
    LensSettings lens{.autofocusOn = run % 2 == 0 ? AutofocusOn::tracked : AutofocusOn::area,
                      .autofocusSpeed = uniform(0.1f, 5.0f),
                      .autofocusDelayS = uniform(0.0f, 0.3f)};
    const float rate = uniform(10.0f, 60.0f);
    std::vector<float> measured{uniform(0.1f, 2.0f)};
    for (int i = 1; i < 200; ++i) {
      const float step = i % 50 == 0 ? uniform(-1.0f, 1.0f) : uniform(-0.01f, 0.01f);
      measured.push_back(std::clamp(measured.back() + step, 0.05f, 5.0f));
    }
    measured.resize(200 + static_cast<std::size_t>(60 * rate), measured.back());
    const Track track = focusTrack(measured, rate, lens);
    EXPECT_EQ(track.field, "lens.focusDistanceM");
    EXPECT_NEAR(dioptersAt(track, 0), measured[0], 1e-4f) << "starts in focus";
    EXPECT_NEAR(dioptersAt(track, 1e6), measured.back(), 0.005f) << "arrives";
    EXPECT_LT(track.keys.size(), 200u) << "few keys at rest";
    const auto frames = static_cast<double>(measured.size());
    for (double frame = 0; frame + 1 < frames; ++frame) {
      const double at = frame / static_cast<double>(rate), next = (frame + 1) / static_cast<double>(rate);
      ASSERT_LE(std::abs(dioptersAt(track, next) - dioptersAt(track, at)),
                1.01f * lens.autofocusSpeed / rate + 1e-4f);
    }
  }
}

TEST(FocusTrack, AMotionAtOneSpeedTakesTwoKeys) {
  std::vector<float> measured;
  for (int i = 0; i <= 100; ++i) measured.push_back(0.5f + 0.01f * static_cast<float>(i));
  const Track track = focusTrack(measured, 25.0f, {.autofocusOn = AutofocusOn::tracked});
  ASSERT_EQ(track.keys.size(), 2u);
  EXPECT_NEAR(track.keys[1].value, 1.0f / 1.5f, 1e-5f);
  EXPECT_EQ(track.keys[1].timeS, 4.0);
}

}  // namespace
}  // namespace satdof
