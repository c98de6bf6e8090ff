#include "app/render/focus.h"

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

class LensFocus : public GlTest {
 protected:
  static constexpr double kStepS = 1.0 / 60.0;

  // Left half at leftM, right half at rightM, one pixel in eight is an outlier.
  Image halves(glm::ivec2 size, float leftM, float rightM) {
    return Image(
        size, [] { return glm::vec4(0.5f); },
        [&](int x, int y) {
          const bool outlier = (y * size.x + x) % 8 == 3;
          return outlier ? 1.0f : 0.1f / (x < size.x / 2 ? leftM : rightM);
        });
  }
  static void update(Focus& focus, const Image& image, LensSettings& lens, double timeS) {
    applyFocus(lens, focus.update(image.frame, lens, {.timeS = timeS}));
  }
  void settle(Focus& focus, const Image& image, LensSettings& lens, double timeS = 0.0) {
    for (int i = 0; i < 1000; ++i) {
      update(focus, image, lens, timeS);
      if (!focus.pending()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "the focus never settled";
  }
};

TEST_F(LensFocus, PickTakesTheMedianDistance) {
  const Image image = halves({64, 40}, 2.5f, 7.0f);
  Focus focus;
  LensSettings lens;
  EXPECT_FALSE(focus.pending());
  focus.pick({0.2f, 0.5f});
  EXPECT_TRUE(focus.pending());
  settle(focus, image, lens);
  EXPECT_NEAR(lens.focusDistanceM, 2.5f, 1e-5f);
  focus.pick({0.999f, 1.0f});
  settle(focus, image, lens);
  EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
}

TEST_F(LensFocus, AutofocusMeasuresTheCentreOfTheVisibleImage) {
  const Image image = halves({64, 40}, 2.5f, 7.0f);
  LensSettings lens;
  lens.autofocus = true;
  Focus focus;
  applyFocus(lens, focus.update(image.frame, lens, {.standalone = true, .at = {0.75f, 0.5f}}));
  EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
  applyFocus(lens, focus.update(image.frame, lens, {.standalone = true, .at = {0.25f, 0.5f}}));
  EXPECT_NEAR(lens.focusDistanceM, 2.5f, 1e-5f);
}

TEST_F(LensFocus, EachModeMeasuresItsDistance) {
  // A near stripe, 20 of 100 pixels wide, in front of a far wall.
  const Image image(
      {100, 100}, [] { return glm::vec4(0.5f); }, [](int x, int) { return 0.1f / (x < 20 ? 2.0f : 8.0f); });
  const auto focused = [&](AutofocusOn on, glm::vec2 at, float size) {
    LensSettings lens{.autofocus = true, .autofocusOn = on, .autofocusSize = size};
    Focus focus;
    applyFocus(lens, focus.update(image.frame, lens, {.standalone = true, .at = at}));
    return lens.focusDistanceM;
  };
  EXPECT_NEAR(focused(AutofocusOn::point, {0.1f, 0.5f}, 0.5f), 2.0f, 1e-5f);
  EXPECT_NEAR(focused(AutofocusOn::point, {0.3f, 0.5f}, 0.5f), 8.0f, 1e-5f);
  EXPECT_NEAR(focused(AutofocusOn::area, {0.3f, 0.5f}, 0.5f), 8.0f, 1e-5f);
  EXPECT_NEAR(focused(AutofocusOn::area, {0.1f, 0.5f}, 0.1f), 2.0f, 1e-5f);
  EXPECT_NEAR(focused(AutofocusOn::nearest, {0.3f, 0.5f}, 0.5f), 2.0f, 1e-5f);
  EXPECT_NEAR(focused(AutofocusOn::nearest, {0.6f, 0.5f}, 0.5f), 8.0f, 1e-5f);
}

std::vector<float> sampledDepths(std::span<const float> depths, glm::ivec2 size) {
  std::vector<float> samples{-1.0f};
  sampleDepths(depths, size, samples);
  return samples;
}

TEST(SampledDepths, AreFewAndSpreadEvenly) {
  const auto ramp = [](glm::ivec2 size) {
    std::vector<float> depths;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) depths.push_back(float(x) + 1000.0f * float(y));
    return depths;
  };
  EXPECT_EQ(sampledDepths(ramp({64, 51}), {64, 51}), ramp({64, 51})) << "few depths: all";
  const glm::ivec2 size{333, 512};
  const std::vector<float> samples = sampledDepths(ramp(size), size);
  ASSERT_EQ(samples.size(), 4096u);
  EXPECT_EQ(samples, sampledDepths(ramp(size), size));
  int inFirstColumns = 0;
  for (int i = 0; i < 4096; ++i) {
    const int x = int(samples[std::size_t(i)]) % 1000, y = int(samples[std::size_t(i)]) / 1000;
    ASSERT_EQ(y / 8, i / 64);
    ASSERT_LE(i % 64 * 333 / 64, x);
    ASSERT_LT(x, (i % 64 + 1) * 333 / 64);
    inFirstColumns += x == i % 64 * 333 / 64 ? 1 : 0;
  }
  EXPECT_NEAR(inFirstColumns / 4096.0, 64.0 / 333.0, 0.03) << "no grid, which bars in the image could meet";
}

TEST_F(LensFocus, ATrackedPointNeedsNoDepthAndIsLockedOn) {
  const Image image = halves({64, 40}, 2.5f, 7.0f);
  LensSettings lens{.autofocus = true, .autofocusOn = AutofocusOn::tracked};
  Focus focus;
  for (const bool standalone : {true, false})
    for (int i = 0; i < 20; ++i) {
      const float distanceM = 3.0f + 0.05f * float(i);
      applyFocus(lens, focus.update(image.frame, lens,
                                    {.timeS = 0.04 * i,
                                     .standalone = standalone,
                                     .held = true,
                                     .tracked = TrackedPlace{distanceM, {0.5f, 0.5f}}}));
      if (standalone || i > 1) {
        ASSERT_NEAR(lens.focusDistanceM, distanceM, 1e-4f) << i;
      }
    }
  applyFocus(lens, focus.update(image.frame, lens, {.timeS = 2.0, .standalone = true, .at = {0.2f, 0.5f}}));
  EXPECT_NEAR(lens.focusDistanceM, 2.5f, 1e-4f) << "the object is gone: the place";
  focus.pick({0.9f, 0.5f});
  FocusChange change;
  while (!change.pickedM) change = focus.update(image.frame, lens, {.timeS = 2.0});
  EXPECT_NEAR(*change.pickedM, 7.0f, 1e-4f);
  EXPECT_TRUE(lens.autofocus) << "the click chooses what to track";

  const TrackedPlace still{lens.focusDistanceM, {0.5f, 0.5f}};
  const AutofocusRequest request{.timeS = 2.0, .tracked = still};
  for (int i = 0; i < 3; ++i) applyFocus(lens, focus.update(image.frame, lens, request));
  ASSERT_FALSE(focus.pending());
  focus.pick({0.9f, 0.5f});
  change = {};
  while (!change.pickedM) change = focus.update(image.frame, lens, request);
  EXPECT_TRUE(focus.pending()) << "another point is tracked from the next frame on";
  focus.update(image.frame, lens, request);
  EXPECT_FALSE(focus.pending());
}

TEST_F(LensFocus, TheAutofocusStaysWhileItIsHeld) {
  const Image image = halves({400, 300}, 4.0f, 4.0f);
  Focus focus;
  LensSettings lens;
  lens.focusDistanceM = 1.0f;
  update(focus, image, lens, 0.0);
  lens.autofocus = true;
  for (int i = 1; i < 50; ++i) {
    applyFocus(lens, focus.update(image.frame, lens, {.timeS = 0.1 * i, .held = true}));
    ASSERT_EQ(lens.focusDistanceM, 1.0f);
    ASSERT_TRUE(focus.pending());
  }
  settle(focus, image, lens);
  EXPECT_NEAR(1.0f / lens.focusDistanceM, 0.25f, 0.0026f);
}

// A random walk with jumps, at random frame rates.
TEST(FocusFollower, NeverMovesFasterThanItsSpeedNorPastItsTarget) {
  std::mt19937 random(11);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution(from, to)(random); };
  for (int run = 0; run < 200; ++run) {
    const auto speed = static_cast<float>(uniform(0.05, 20));
    const double delayS = run % 3 == 0 ? 0.0 : uniform(0, 0.5);
    const bool locks = run % 2 == 0;
    FocusFollower follower;
    auto measured = static_cast<float>(uniform(0, 3)), focus = static_cast<float>(uniform(0, 3));
    for (int i = 0; i < 200; ++i) {
      const double stepS = uniform(0.001, 0.1);
      measured = std::max(0.0f, measured + static_cast<float>(uniform(-1, 1) * (i % 20 == 0 ? 2.0 : 0.01)));
      const float to = follower.target(measured, stepS, delayS);
      const float next = FocusFollower::moved(focus, to, stepS, speed, locks);
      ASSERT_LE(std::abs(next - focus), 1.0001f * speed * static_cast<float>(stepS) + 1e-6f);
      ASSERT_LE(std::min(focus, to) - 1e-6f, next);
      ASSERT_GE(std::max(focus, to) + 1e-6f, next);
      focus = next;
    }
    for (int i = 0; i < 10'000; ++i)
      focus = FocusFollower::moved(focus, follower.target(measured, 0.02, delayS), 0.02, speed, locks);
    ASSERT_NEAR(focus, measured, 1e-3f) << "arrives";
  }
}

TEST(FocusFollower, StaysAtAnEdgeAndFollowsWhatLasts) {
  std::mt19937 random(12);
  for (int run = 0; run < 100; ++run) {
    FocusFollower follower;
    const float nearDpt = 2.0f, farDpt = 0.3f;
    EXPECT_EQ(follower.target(nearDpt, 0.02, 0.2), nearDpt);
    for (int i = 0; i < 300; ++i)  // never seven frames in a row at the other side
      ASSERT_EQ(follower.target(i % 7 != 0 && random() % 2 == 0 ? farDpt : nearDpt, 0.02, 0.2), nearDpt);
    follower.target(nearDpt, 0.02, 0.2);
    double waitedS = 0.0;
    while (follower.target(farDpt, 0.02, 0.2) != farDpt) waitedS += 0.02;
    EXPECT_NEAR(waitedS, 0.2, 0.021);
    float drift = farDpt;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(follower.target(drift += 0.03f, 0.02, 0.2), drift) << "no jump";
  }
}

TEST_F(LensFocus, PickOnTheSkyGivesTheLargestDistance) {
  const Image image(
      {1, 1}, [] { return glm::vec4(0.5f); }, [] { return 0.0f; });
  Focus focus;
  LensSettings lens;
  focus.pick({0.0f, 0.0f});
  settle(focus, image, lens);
  EXPECT_EQ(lens.focusDistanceM, 10000.0f);
}

TEST_F(LensFocus, PickEndsAutofocus) {
  const Image image = halves({64, 40}, 2.5f, 7.0f);
  Focus focus;
  LensSettings lens;
  lens.autofocus = true;
  focus.pick({0.9f, 0.5f});
  settle(focus, image, lens);
  EXPECT_FALSE(lens.autofocus);
  EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
}

TEST_F(LensFocus, UpdateReportsEveryChangeOnce) {
  const Image image = halves({64, 40}, 2.5f, 7.0f);
  Focus focus;
  LensSettings lens;
  lens.autofocus = true;
  focus.pick({0.2f, 0.5f});
  const FocusChange first = focus.update(image.frame, lens, {});
  EXPECT_TRUE(first.endsAutofocus);
  EXPECT_FALSE(first.focusDistanceM);
  applyFocus(lens, first);
  EXPECT_FALSE(lens.autofocus);
  settle(focus, image, lens);
  const FocusChange last = focus.update(image.frame, lens, {});
  EXPECT_FALSE(last.focusDistanceM || last.endsAutofocus);
}

TEST_F(LensFocus, AutofocusStartsInFocus) {
  const Image image = halves({400, 300}, 4.0f, 4.0f);
  Focus focus;
  LensSettings lens;
  lens.autofocus = true;
  settle(focus, image, lens);
  EXPECT_NEAR(lens.focusDistanceM, 4.0f, 1e-5f);
}

TEST_F(LensFocus, TheRestingAutofocusMeasuresChanges) {
  const Image before = halves({64, 40}, 4.0f, 4.0f), after = halves({64, 40}, 2.0f, 2.0f);
  LensSettings lens{.autofocus = true, .autofocusSpeed = 100.0f};
  for (const double timeS : {0.0, 1.0}) {
    Focus focus;
    settle(focus, before, lens);
    glFinish();  // the depths of before arrive in the next update
    applyFocus(lens, focus.update(after.frame, lens, {.timeS = timeS, .changed = true}));
    EXPECT_TRUE(focus.pending());
    settle(focus, after, lens, timeS);
    EXPECT_NEAR(0.5f, 1.0f / lens.focusDistanceM, 0.006f);
  }
}

TEST_F(LensFocus, AutofocusApproachesInDioptersWithItsTimeConstant) {
  const Image image = halves({400, 300}, 4.0f, 4.0f);
  Focus focus;
  LensSettings lens;
  lens.focusDistanceM = 1.0f;
  double timeS = 0.0;
  update(focus, image, lens, timeS);
  lens.autofocus = true;
  while (lens.focusDistanceM == 1.0f) update(focus, image, lens, timeS += kStepS);
  double expected = 0.25 + 0.75 * std::exp(-kStepS / FocusFollower::kSmoothingS);
  EXPECT_NEAR(1.0 / lens.focusDistanceM, expected, 1e-5);
  for (int i = 0; i < 15; ++i) {
    update(focus, image, lens, timeS += kStepS);
    expected = 0.25 + (expected - 0.25) * std::exp(-kStepS / FocusFollower::kSmoothingS);
    ASSERT_NEAR(1.0 / lens.focusDistanceM, expected, 1e-4);
  }
  EXPECT_TRUE(focus.pending());
  settle(focus, image, lens);
  EXPECT_NEAR(1.0 / lens.focusDistanceM, 0.25, 0.0026);
}

TEST_F(LensFocus, AutofocusRestsWhileTheTimeStandsStill) {
  const Image image = halves({400, 300}, 4.0f, 4.0f), other = halves({400, 300}, 4.03f, 4.03f);
  Focus focus;
  LensSettings lens;
  update(focus, image, lens, 0.0);
  lens.autofocus = true;
  settle(focus, image, lens);
  const float settledM = lens.focusDistanceM;
  EXPECT_NEAR(settledM, 4.0f, 1e-5f);
  for (int i = 0; i < 20; ++i) {
    update(focus, i % 2 == 0 ? other : image, lens, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(lens.focusDistanceM, settledM);
    ASSERT_FALSE(focus.pending());
  }
}

// With `standalone`, one update measures its own scene, whatever was requested before.
TEST_F(LensFocus, AFrameAloneFocusesAtOnceOnItsOwnScene) {
  const Image nearScene = halves({400, 300}, 2.0f, 2.0f), farScene = halves({31, 33}, 7.0f, 7.0f);
  Focus focus;
  LensSettings lens;
  lens.autofocus = true;
  for (int i = 0; i < 3; ++i) {
    applyFocus(lens, focus.update(nearScene.frame, lens, {.timeS = double(i), .standalone = true}));
    EXPECT_NEAR(lens.focusDistanceM, 2.0f, 1e-5f);
    applyFocus(lens, focus.update(farScene.frame, lens, {.timeS = double(i), .standalone = true}));
    EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
    EXPECT_FALSE(focus.pending());
    update(focus, nearScene, lens, i + 0.5);  // leaves a request
  }
  lens.autofocus = false;
  EXPECT_FALSE(focus.update(nearScene.frame, lens, {.timeS = 9.0, .standalone = true}).focusDistanceM.has_value());
}

}  // namespace
}  // namespace satdof::test
