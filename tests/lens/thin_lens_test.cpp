#include "app/lens/thin_lens.h"
#include "app/lens/fixed_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shaders/common/tone.h"
#include "shaders/lens/aperture/staircase.h"

namespace satdof {
namespace {

LensSettings lensAt(float focusM, float focalMm, float fNumber) {
  LensSettings lens;
  lens.focusDistanceM = focusM;
  lens.focalLengthMm = focalMm;
  lens.fNumber = fNumber;
  lens.sensorHeightMm = 24.0f;
  return lens;
}

// 50 mm at f/2 focused at 2.05 m, 1080 rows on 24 mm: K = .05^2 1080 / (2 2 2 .024) = 14.0625 px.
TEST(ThinLens, MatchesHandComputedRadii) {
  const auto coc = thinLens(lensAt(2.05f, 50, 2), 1080, 0.1f);
  EXPECT_NEAR(radiusPx(coc, 0.0f), 14.0625f, 1e-4);
  EXPECT_NEAR(radiusPx(coc, 0.1f / 2.05f), 0.0f, 1e-4);
  EXPECT_NEAR(radiusPx(coc, 0.1f / 4.1f), 14.0625f / 2, 1e-4);
  EXPECT_NEAR(radiusPx(coc, 0.1f / 1.025f), -14.0625f, 1e-4);
}

TEST(ThinLens, MatchesTheFormulaAtEveryDistance) {
  for (const float focusM : {0.3f, 1.0f, 6.0f, 10000.0f})
    for (const float focalMm : {10.0f, 85.0f, 200.0f})
      for (const float distanceM : {0.1f, 0.5f, 3.0f, 1e4f}) {
        const double f = focalMm * 1e-3;
        const double k = f * f * 720 / (2 * 1.4 * (focusM - f) * 0.024);
        const auto coc = thinLens(lensAt(focusM, focalMm, 1.4f), 720, 0.1f);
        const double expected = k * (1 - focusM / distanceM);
        EXPECT_NEAR(radiusPx(coc, 0.1f / distanceM), expected, 1e-6 * (k + std::abs(expected)) + 1e-6 * k)
            << focusM << " " << focalMm << " " << distanceM;
      }
}

TEST(ThinLens, StaysFiniteIfTheFocusIsWithinTheFocalLength) {
  for (const float focusM : {0.1f, 1.999f, 2.0f}) {
    const auto coc = thinLens(lensAt(focusM, 2000, 0.1f), 16384, 0.1f);
    EXPECT_TRUE(std::isfinite(coc.alpha) && std::isfinite(coc.beta));
    EXPECT_GT(coc.beta, 0.0f);
    EXPECT_LT(coc.alpha, 0.0f);
  }
}

TEST(ThinLens, RadiiAreNoLargerThanTheWidest) {
  const auto lens = thinLens(lensAt(2.0f, 2000, 0.1f), 16384, 0.1f);
  EXPECT_EQ(glsl::signedRadius(lens, 0.0f), glsl::widestRadiusPx());
  EXPECT_EQ(glsl::signedRadius(lens, 1.0f), -glsl::widestRadiusPx());
}

TEST(ThinLens, TheAreaOfTheWidestDiscFitsInAnInt) {
  const int n = glsl::discIndex(glsl::widestRadiusPx()) + 1;
  const double radius = n + 0.5;
  for (int steps = 1; steps <= 5; ++steps)
    for (const float ratio : {0.25f, 1.0f, 4.0f})
      EXPECT_NEAR(glsl::discArea(steps, n, ratio) / (radius * radius * ratio), 3.14, 0.1) << steps << " " << ratio;
}

TEST(ThinLens, LargestRadiusIsAtTheNearestOrFarthestDistance) {
  SceneFacts scene;
  scene.nearM = 0.1f;
  scene.nearestM = 0.5f;
  EXPECT_FLOAT_EQ(largestRadiusPx({-40.0f, 3.0f}, scene), 5.0f);
  EXPECT_FLOAT_EQ(largestRadiusPx({-20.0f, 3.0f}, scene), 3.0f);
}

TEST(ThinLens, BoxHasTheAreaOfTheDisc) {
  for (const float radius : {1.0f, -2.5f, 300.0f})
    EXPECT_NEAR(4 * std::pow(glsl::boxHalfWidth(radius), 2), M_PI * radius * radius, 1e-5 * radius * radius);
}

TEST(FixedPoint, CeilingAndScaleFollowFromTheArea) {
  const glm::ivec2 size{4096, 4096};
  EXPECT_FLOAT_EQ(fixedPointCeiling(100.0f, size), 0x1p20f / (205 * 205));
  const double all = 0x1p32 / (203 * 203);  // (scale * ceiling + 1/2) is below this for a box of 203 x 203 pixels
  EXPECT_EQ(fixedPointScale(100.0f, size, static_cast<float>((all - 0.55) / 2048)), 2048.0f);
  EXPECT_EQ(fixedPointScale(100.0f, size, static_cast<float>((all - 0.45) / 2048)), 1024.0f);
}

TEST(FixedPoint, LargestBrightBoxFitsAndUsesHalfTheRange) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), {1280, 720}, {3840, 2160}, {16384, 16384}})
    for (const auto& [halfWidth, anamorphicRatio] :
         {std::pair(0.886f, 1.0f), {1.0f, 1.0f}, {23.2f, 1.0f}, {23.2f, 4.0f}, {128.0f, 0.25f}, {1e6f, 1.0f}}) {
      const float ceiling = fixedPointCeiling(halfWidth, size, anamorphicRatio);
      const float scale = fixedPointScale(halfWidth, size, ceiling, anamorphicRatio);
      const double rows = 2 * std::ceil(double(halfWidth)) + 3, columns = (rows - 1) * double(anamorphicRatio) + 1;
      const double area = std::min<double>(columns, size.x) * std::min<double>(rows, size.y);
      const auto largest = [&](double s) { return (s * ceiling + 0.5) * area; };
      EXPECT_LT(largest(scale), 0x1p32);
      EXPECT_LE(scale * ceiling, 0x1p23f);
      EXPECT_TRUE(largest(2.0 * scale) >= 0x1p32 || 2.0 * scale * ceiling > 0x1p23);
      int exponent = 0;
      EXPECT_EQ(std::frexp(scale, &exponent), 0.5f);
    }
}

TEST(FixedPoint, DarkStepsAreInvisibleAtTheDefaultSettings) {
  const glm::ivec2 size{1280, 720};
  const LensSettings lens;
  SceneFacts scene;
  scene.nearestM = 0.5f;
  const float halfWidth = glsl::boxHalfWidth(largestRadiusPx(thinLens(lens, size.y, 0.1f), scene));
  const float ceiling = fixedPointCeiling(halfWidth, size);
  EXPECT_GE(ceiling, 64.0f);
  EXPECT_LT(0.5f / fixedPointScale(halfWidth, size, ceiling) * 12.92f * 255.0f, 0.5f);
}

TEST(FixedPoint, CeilingIsContinuousInTheRadius) {
  for (float halfWidth = 1.0f; halfWidth < 600.0f; halfWidth += 1.0f / 64) {
    const float before = fixedPointCeiling(halfWidth, {1920, 1080});
    const float after = fixedPointCeiling(halfWidth + 1.0f / 64, {1920, 1080});
    ASSERT_LE(std::abs(after / before - 1.0f), 0.002f) << halfWidth;
  }
}

TEST(ToneCurve, StartsAtZeroAndIncreases) {
  EXPECT_EQ(glsl::toneCurve(0.0f), 0.0f);
  float before = 0.0f;
  for (float v = 1e-4f; v < 1e5f; v *= 1.01f) {
    const float tone = glsl::toneCurve(v);
    ASSERT_GE(tone, before) << v;
    ASSERT_LE(tone, 1.0f) << v;
    before = tone;
  }
  EXPECT_EQ(before, 1.0f);
}

TEST(ToneCurve, AppliesToEachChannelUpToOne) {
  const glm::vec3 dim(1.0f, 0.25f, 0.01f), toned = glsl::toneMapped(dim);
  for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(toned[c], glsl::toneCurve(dim[c])) << c;
  for (const float grey : {0.0f, 0.3f, 1.0f, 4.0f, 1e4f})
    EXPECT_NEAR(glsl::toneMapped(glm::vec3(grey)).y, glsl::toneCurve(grey), 1e-6f) << grey;
}

// A lamp gets brighter in every channel, paler above 1, and keeps the order of its channels.
TEST(ToneCurve, KeepsTheHueOfBrightLight) {
  glm::vec3 before(0.0f);
  float colourBefore = 1.0f;
  for (float exposure = 0.01f; exposure < 1e4f; exposure *= 1.02f) {
    const glm::vec3 toned = glsl::toneMapped(exposure * glm::vec3(1.0f, 0.46f, 0.15f));
    for (int c = 0; c < 3; ++c) {
      ASSERT_GE(toned[c], before[c] - 1e-6f) << exposure;  // rounding
      ASSERT_LE(toned[c], 1.0f + 1e-6f) << exposure;
    }
    const float colour = 1.0f - toned.z / toned.x;
    if (exposure > 1.0f) {
      ASSERT_LE(colour, colourBefore + 1e-6f) << exposure;
    }
    ASSERT_GT(toned.x, toned.y + 0.02f * toned.x) << exposure;
    ASSERT_GT(toned.y, toned.z + 0.02f * toned.x) << exposure;
    before = toned;
    colourBefore = colour;
  }
}

TEST(ToneCurve, EncodesSrgb) {
  EXPECT_EQ(glsl::encodeSrgb(0.0f), 0.0f);
  EXPECT_NEAR(glsl::encodeSrgb(1.0f), 1.0f, 1e-6f);
  EXPECT_NEAR(glsl::encodeSrgb(0.21404114f), 0.5f, 1e-6f);
  EXPECT_NEAR(glsl::encodeSrgb(0.0031308f), glsl::encodeSrgb(0.0031309f), 1e-5f);
}

}  // namespace
}  // namespace satdof
