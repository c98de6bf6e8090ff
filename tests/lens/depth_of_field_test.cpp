#include "app/lens/depth_of_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <utility>

#include "app/lens/thin_lens.h"
#include "app/ui/edit.h"

namespace satdof {
namespace {

LensSettings randomLens(std::mt19937& random) {
  const auto between = [&](float low, float high) {
    return low * std::pow(high / low, std::uniform_real_distribution<float>()(random));
  };
  LensSettings lens;
  lens.focalLengthMm = between(10.0f, 200.0f);
  lens.fNumber = between(0.7f, 32.0f);
  lens.sensorHeightMm = between(5.0f, 60.0f);
  lens.focusDistanceM = between(0.5f, 100.0f);
  return lens;
}

TEST(DepthOfField, TheLimitsHaveTheLargestSharpCircle) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const LensSettings lens = randomLens(random);
    const DepthOfField range = depthOfField(lens);
    EXPECT_LT(range.nearM, lens.focusDistanceM);
    EXPECT_GT(range.farM, lens.focusDistanceM);
    EXPECT_NEAR(confusionMm(lens, range.nearM) / range.confusionMm, 1.0f, 0.05f);
    if (std::isfinite(range.farM) && range.farM < 1e4f) {
      EXPECT_NEAR(confusionMm(lens, range.farM) / range.confusionMm, 1.0f, 0.05f);
    }
    if (lens.focusDistanceM >= range.hyperfocalM) {
      EXPECT_TRUE(std::isinf(range.farM));
    }
  }
}

TEST(DepthOfField, CirclesEqualTheThinLens) {
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    const LensSettings lens = randomLens(random);
    const float distanceM = 0.3f + static_cast<float>(i);
    const float radius = std::abs(radiusPx(thinLens(lens, 1080, 0.1f), 0.1f / distanceM));
    const float expectedMm = 2.0f * radius * lens.sensorHeightMm / 1080.0f;
    EXPECT_NEAR(confusionMm(lens, distanceM), expectedMm, 1e-3f * expectedMm + 1e-5f);
  }
}

TEST(DepthOfField, WheelAndSliderShareOneRangeInDiopters) {
  EXPECT_EQ(focusPosition(kNearestFocusM), 0.0f);
  EXPECT_GT(focusPosition(10000.0f), 0.9999f);
  EXPECT_NEAR(focusPosition(1.0f) - focusPosition(0.5f), focusPosition(0.5f) - focusPosition(1.0f / 3.0f), 1e-5f);
  for (const float distanceM : {0.25f, 0.3f, 1.0f, 1.7f, 42.0f, 999.0f})
    EXPECT_NEAR(focusAtPosition(focusPosition(distanceM)) / distanceM, 1.0f, 1e-3f);
  EXPECT_GE(focusAtPosition(1.0f), kInfinityM);
  LensSettings lens;
  moveFocus(lens, -10000.0f);
  EXPECT_FLOAT_EQ(lens.focusDistanceM, focusAtPosition(0.0f));
  moveFocus(lens, 10000.0f);
  EXPECT_FLOAT_EQ(lens.focusDistanceM, focusAtPosition(1.0f));
}

TEST(DepthOfField, DistancesAreShownWithTheirUnit) {
  EXPECT_EQ(distanceText(0.25f), "0.250 m");
  EXPECT_EQ(distanceText(0.9996f), "1.00 m");
  EXPECT_EQ(distanceText(1.7f), "1.70 m");
  EXPECT_EQ(distanceText(31.25f), "31.2 m");
  EXPECT_EQ(distanceText(1000.0f), "1000 m");
  EXPECT_EQ(distanceText(10000.0f), "infinity");
  EXPECT_EQ(distanceText(INFINITY), "infinity");
}

TEST(DepthOfField, CirclesAreShownAsDiametersInPlainForm) {
  for (const auto& [value, text] : {std::pair{0.0f, "< 0.001 mm"},
                                    {9.8e-5f, "< 0.001 mm"},
                                    {0.001f, "0.001 mm"},
                                    {0.0288f, "0.029 mm"},
                                    {0.808f, "0.808 mm"},
                                    {0.9999f, "1.00 mm"},
                                    {9.999f, "10.0 mm"},
                                    {1234.5f, "1234 mm"}})
    EXPECT_EQ(millimetresText(value), text);
  const LensSettings lens;
  EXPECT_EQ(confusionText(lens, lens.focusDistanceM, 720), "< 0.001 mm, < 0.1 px");
  const float radius = thinLens(lens, 720, 1.0f).beta;  // at infinity
  char text[32];
  std::snprintf(text, sizeof text, "1.26 mm, %.1f px", 2.0 * static_cast<double>(radius));
  EXPECT_EQ(confusionText(lens, INFINITY, 720), text);
}

TEST(DepthOfField, FocalLengthAndFieldOfViewAreLinkedBothWays) {
  EXPECT_NEAR(fieldOfViewDegrees(50.0f, 24.0f), CameraSettings{}.verticalFovDegrees, 0.02f) << "the defaults agree";
  for (const float mm : {10.0f, 50.0f, 135.0f})
    EXPECT_NEAR(focalLengthMm(fieldOfViewDegrees(mm, 24.0f), 24.0f), mm, 1e-2f);
  Settings before, settings;
  settings.lens.focalLengthMm = 100.0f;
  linkFieldOfView(before, settings);
  EXPECT_NEAR(settings.camera.verticalFovDegrees, 13.69f, 0.01f);
  before = settings;
  settings.camera.verticalFovDegrees = 27.0f;
  linkFieldOfView(before, settings);
  EXPECT_NEAR(settings.lens.focalLengthMm, 50.0f, 0.1f);
  before = settings;
  settings.lens.linkFieldOfView = false;
  settings.lens.focalLengthMm = 20.0f;
  linkFieldOfView(before, settings);
  EXPECT_EQ(settings.camera.verticalFovDegrees, 27.0f);
}

}  // namespace
}  // namespace satdof
