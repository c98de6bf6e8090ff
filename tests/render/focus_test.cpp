#include "app/render/focus.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "app/render/image_mean.h"
#include "tests/lens/fixture.h"

namespace satdof::test {
namespace {

class LensFocus : public GlTest {
 protected:
  static constexpr double kStepS = 1.0 / 60.0;

  // Left half at leftM, right half at rightM, one pixel in eight is an outlier.
  Image halves(glm::ivec2 size, float leftM, float rightM) {
    int i = 0;
    return Image(
        size, [] { return glm::vec4(0.5f); },
        [&, i]() mutable {
          const bool right = i % size.x >= size.x / 2;
          const bool outlier = i % 8 == 3;
          ++i;
          return outlier ? 1.0f : 0.1f / (right ? rightM : leftM);
        });
  }
  static void update(Focus& focus, const Image& image, LensSettings& lens, double timeS) {
    applyFocus(lens, focus.update(image.frame, lens, timeS));
  }
  void settle(Focus& focus, const Image& image, LensSettings& lens) {
    for (int i = 0; i < 1000; ++i) {
      update(focus, image, lens, 0.0);
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
  applyFocus(lens, focus.update(image.frame, lens, 0.0, true, {0.75f, 0.5f}));
  EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
  applyFocus(lens, focus.update(image.frame, lens, 0.0, true, {0.25f, 0.5f}));
  EXPECT_NEAR(lens.focusDistanceM, 2.5f, 1e-5f);
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
  const FocusChange first = focus.update(image.frame, lens, 0.0);
  EXPECT_TRUE(first.endsAutofocus);
  EXPECT_FALSE(first.focusDistanceM);
  applyFocus(lens, first);
  EXPECT_FALSE(lens.autofocus);
  settle(focus, image, lens);
  const FocusChange last = focus.update(image.frame, lens, 0.0);
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

TEST_F(LensFocus, AutofocusApproachesInDioptersWithItsTimeConstant) {
  const Image image = halves({400, 300}, 4.0f, 4.0f);
  Focus focus;
  LensSettings lens;
  lens.focusDistanceM = 1.0f;
  double timeS = 0.0;
  update(focus, image, lens, timeS);
  lens.autofocus = true;
  while (lens.focusDistanceM == 1.0f) update(focus, image, lens, timeS += kStepS);
  double expected = 0.25 + 0.75 * std::exp(-kStepS / Focus::kSmoothingS);
  EXPECT_NEAR(1.0 / lens.focusDistanceM, expected, 1e-5);
  for (int i = 0; i < 15; ++i) {
    update(focus, image, lens, timeS += kStepS);
    expected = 0.25 + (expected - 0.25) * std::exp(-kStepS / Focus::kSmoothingS);
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

// One update answers for its own scene, whatever was requested before.
TEST_F(LensFocus, AFrameAloneFocusesAtOnceOnItsOwnScene) {
  const Image nearScene = halves({400, 300}, 2.0f, 2.0f), farScene = halves({31, 33}, 7.0f, 7.0f);
  Focus focus;
  LensSettings lens;
  lens.autofocus = true;
  for (int i = 0; i < 3; ++i) {
    applyFocus(lens, focus.update(nearScene.frame, lens, i, true));
    EXPECT_NEAR(lens.focusDistanceM, 2.0f, 1e-5f);
    applyFocus(lens, focus.update(farScene.frame, lens, i, true));
    EXPECT_NEAR(lens.focusDistanceM, 7.0f, 1e-5f);
    EXPECT_FALSE(focus.pending());
    update(focus, nearScene, lens, i + 0.5);  // leaves a request
  }
  lens.autofocus = false;
  EXPECT_FALSE(focus.update(nearScene.frame, lens, 9.0, true).focusDistanceM.has_value());
}

TEST_F(LensFocus, ImageMeanOfAFrameAlone) {
  const auto uniform = [](float level) {
    return Image(
        {65, 33}, [&] { return glm::vec4(level, 0.0f, 0.0f, 1.0f); }, [] { return 0.1f; });
  };
  const Image dark = uniform(0.25f), bright = uniform(2.0f);
  ImageMean mean;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(mean.update(dark.colourTexture, true).r, 0.25f);
    EXPECT_FLOAT_EQ(mean.update(bright.colourTexture, true).r, 2.0f);
    mean.update(dark.colourTexture);
  }
}

TEST_F(LensFocus, ImageMeanArrives) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> value(0.0f, 1.0f);
  const Image image(
      {640, 360}, [&] { return glm::vec4(value(random), 3.0f, 0.0f, 1.0f); }, [] { return 0.1f; });
  ImageMean mean;
  glm::vec4 got = mean.update(image.colourTexture);
  for (int i = 0; i < 1000 && got == glm::vec4(0.0f); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    got = mean.update(image.colourTexture);
  }
  EXPECT_NEAR(got.r, 0.5f, 0.05f);
  EXPECT_FLOAT_EQ(got.g, 3.0f);
  EXPECT_EQ(got.b, 0.0f);
  EXPECT_FLOAT_EQ(got.a, 1.0f);
}

}  // namespace
}  // namespace satdof::test
