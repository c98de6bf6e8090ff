#include "shaders/lens/near_scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <glm/glm.hpp>

namespace satdof {
namespace {

TEST(NearWeights, SumToTheNearPart) {
  for (const int steps : {1, 2, 3, 4, 5})
    for (float radius = 0.03f; radius < 900.0f; radius *= 1.037f) {
      const int n = glsl::discIndex(radius);
      const int inner = glsl::discArea(steps, n, 1.0f), outer = glsl::discArea(steps, n + 1, 1.0f);
      const auto weights = glsl::nearWeights(glsl::nearPart(-radius), radius, inner, outer);
      const double covered = double{weights.inner} * inner + double{weights.outer} * outer;
      const double expected = std::clamp((double{radius} - 0.0625) / 0.4375, 0.0, 1.0) * 0x1p24;
      ASSERT_NEAR(covered, expected, 1e-6 * 0x1p24) << radius;
    }
}

constexpr float kRatio = 1.5f;
constexpr glm::vec2 kApart[] = {{0.2f, 0.0f}, {0.0f, 0.7f}, {-0.5f, 0.5f}, {0.9f, -0.3f}, {-1.1f, -1.1f}};

// The cut disc of signed radius r whose second stop is `apart` radii from the first.
glsl::CutDisc cutBy(glm::vec2 apart, float r) {
  const Aperture aperture{.axisPx = {300, 200}, .catEye = 0.01f, .anamorphicRatio = kRatio};
  return glsl::cutDisc(aperture, aperture.axisPx + apart / aperture.catEye, r);
}

// The shape that two discs of radius 1 share, widened by kRatio, from points of a grid.
struct SharedShape {
  glm::dvec2 mean{0.0}, variance{0.0};
  explicit SharedShape(glm::vec2 apart) {
    double count = 0.0;
    glm::dvec2 sum(0.0), squares(0.0);
    constexpr int kSide = 1000;
    for (int i = 0; i < kSide * kSide; ++i) {
      const glm::vec2 a = glm::vec2(i % kSide, i / kSide) * (2.0f / kSide) + 1.0f / kSide - 1.0f;
      if (glm::length(a) > 1.0f || glm::length(a + apart) > 1.0f) continue;
      const glm::dvec2 at(a * glm::vec2(kRatio, 1.0f));
      count += 1.0;
      sum += at;
      squares += at * at;
    }
    mean = sum / count;
    variance = squares / count - mean * mean;
  }
};

TEST(CutDisc, KeepsTheCentreOfGravityAndTheVariances) {
  constexpr float kRadius = 20.0f;
  for (const glm::vec2 apart : kApart) {
    const SharedShape shape(apart);
    for (const float r : {kRadius, -kRadius}) {
      const glsl::CutDisc disc = cutBy(apart, r);
      EXPECT_NEAR(disc.lean.x * disc.radius, shape.mean.x * r, 0.05) << apart.x << " " << apart.y;
      EXPECT_NEAR(disc.lean.y * disc.radius, shape.mean.y * r, 0.05) << apart.x << " " << apart.y;
      const double spreadX = double(disc.radius * disc.ratio) / 2, spreadY = double(disc.radius) / 2;
      EXPECT_NEAR(spreadX, std::sqrt(shape.variance.x) * kRadius, 0.015 * kRadius) << apart.x << " " << apart.y;
      EXPECT_NEAR(spreadY, std::sqrt(shape.variance.y) * kRadius, 0.015 * kRadius) << apart.x << " " << apart.y;
    }
  }
  const glsl::CutDisc whole = glsl::cutDisc({.anamorphicRatio = kRatio}, {17, 4}, -kRadius);
  EXPECT_EQ(whole.radius, kRadius);
  EXPECT_EQ(whole.ratio, kRatio);
  EXPECT_EQ(whole.lean, glm::vec2(0.0f));
}

TEST(LeaningShift, IsTheCentreOfGravityRounded) {
  for (const glm::vec2 apart : kApart) {
    const SharedShape shape(apart);
    for (const int n : {0, 3, 12, 40, 200})
      for (const float sign : {1.0f, -1.0f}) {
        // The disc that the second stop cuts to the half-height of disc n.
        const float r = sign * (float(n) + 0.5f) / cutBy(apart, 1.0f).radius;
        const glsl::CutDisc disc = cutBy(apart, r);
        ASSERT_NEAR(disc.radius, float(n) + 0.5f, 1e-3);
        const glm::dvec2 mean = shape.mean * double(r), shift(glsl::leaningShift(disc, n));
        EXPECT_NEAR(shift.x, mean.x, 0.5 + 0.0025 * std::abs(r)) << apart.x << " " << apart.y << ", radius " << r;
        EXPECT_NEAR(shift.y, mean.y, 0.5 + 0.0025 * std::abs(r)) << apart.x << " " << apart.y << ", radius " << r;
      }
  }
  EXPECT_EQ(glsl::leaningShift(glsl::cutDisc({}, {17, 4}, -9.0f), 9), glm::ivec2(0));
}

// The centre of gravity of the exact disc of pixel 0 of a surface with the radius r + slope . x at x. From each point
// of the aperture, `ratio` wide, the pixel is a parallelogram.
glm::dvec2 exactCentre(double r, glm::dvec2 slope, double ratio) {
  constexpr int kSide = 200;
  glm::dvec2 sum(0.0);
  double area = 0.0;
  for (int i = 0; i < kSide * kSide; ++i) {
    const glm::dvec2 a = (glm::dvec2(i % kSide, i / kSide) + 0.5) * (2.0 / kSide) - 1.0;
    if (glm::length(a) > 1.0) continue;
    const auto seen = [&](glm::dvec2 x) { return x + a * glm::dvec2(ratio, 1.0) * (r + glm::dot(slope, x)); };
    const glm::dvec2 along = seen({0.5, 0.0}) - seen({-0.5, 0.0}), up = seen({0.0, 0.5}) - seen({0.0, -0.5});
    const double part = along.x * up.y - along.y * up.x;
    area += part;
    sum += part * seen({0.0, 0.0});
  }
  return sum / area;
}

int discShift(float r, float slope, float ratio) { return glsl::discShift(r - slope, r, r + slope, ratio); }

TEST(DiscShift, IsTheCentreOfGravityOfAnInclinedSurfaceRounded) {
  for (const float ratio : {0.5f, 1.0f, 1.5f})
    for (const float r : {-12.0f, -200.0f, -2000.0f})
      for (const glm::vec2 slope : {glm::vec2(0.1f, 0.0f), {0.0f, -0.5f}, {-0.3f, 0.2f}, {0.6f, 0.7f}}) {
        const glm::dvec2 centre = exactCentre(r, slope, ratio);
        // Small discs move less.
        const glm::dvec2 less(glsl::kMinShiftedPx / 4.0f * glm::abs(slope) * glm::vec2(ratio * ratio, 1.0f));
        const auto near = [&](int shift, double exact, double missing) {
          const double sign = exact < 0.0 ? -1.0 : 1.0;
          EXPECT_NEAR(shift, exact - sign * missing, 0.5 + 1e-3 * std::abs(exact))
              << "radius " << r << ", slope " << slope.x << " " << slope.y << ", ratio " << ratio;
        };
        near(discShift(r, slope.x, ratio), centre.x, less.x);
        near(discShift(r, slope.y, 1.0f), centre.y, less.y);
      }
}

TEST(DiscShift, SmallDiscsStay) {
  for (float r = 0.0f; r >= -glsl::kMinShiftedPx; r -= 0.125f) {
    EXPECT_FALSE(glsl::isShifted(r)) << r;
    for (const float slope : {-1.0f, 1.0f}) EXPECT_EQ(discShift(r, slope, 1.0f), 0) << r;
  }
  EXPECT_TRUE(glsl::isShifted(-glsl::kMinShiftedPx - 0.125f));
  for (float r = -glsl::kMinShiftedPx; r >= -40.0f; r -= 0.125f)
    EXPECT_LE(std::abs(discShift(r, 1.0f, 1.0f) - discShift(r - 0.125f, 1.0f, 1.0f)), 1) << "jumps at " << r;
}

TEST(DiscShift, SteepSurfacesAndEdgesStay) {
  constexpr float kRadius = -200.0f;
  const int most = discShift(kRadius, -1.0f, 1.0f);
  EXPECT_GT(most, 0);
  for (const float beyond : {0.25f, 0.5f, 0.75f, 1.0f, 3.0f}) {
    const float expected = std::max(1.0f - beyond, 0.0f) * static_cast<float>(most);
    EXPECT_NEAR(discShift(kRadius, -1.0f - beyond, 1.0f), expected, 1.0) << beyond;
    EXPECT_NEAR(discShift(kRadius, 1.0f + beyond, 1.0f), -expected, 1.0) << beyond;
  }
  for (const float edge : {-100.0f, 100.0f}) {
    const int shift = discShift(kRadius, 0.5f, 1.0f);
    EXPECT_EQ(glsl::discShift(kRadius + edge, kRadius, kRadius + 0.5f, 1.0f), shift) << edge;
    EXPECT_EQ(glsl::discShift(kRadius - 0.5f, kRadius, kRadius + edge, 1.0f), shift) << edge;
    EXPECT_EQ(glsl::discShift(kRadius - edge, kRadius, kRadius + edge, 1.0f), 0) << edge;
  }
}

TEST(CutDisc, RootsHaveFloatPrecision) {
  std::mt19937 random(6);
  for (int i = 0; i < 100000; ++i) {
    const float a = std::ldexp(1.0f + static_cast<float>(random() % 8388608) * 0x1p-23f, int(random() % 60) - 40);
    ASSERT_NEAR(double(glsl::reciprocalRoot(a)) * std::sqrt(double(a)), 1.0, 4e-7) << a;
  }
}

TEST(NearWeights, ReciprocalsHaveFloatPrecision) {
  std::mt19937 random(5);
  for (int i = 0; i < 100000; ++i) {
    const float a =
        std::ldexp(1.0f + static_cast<float>(random() % 8388608) * 0x1p-23f, static_cast<int>(random() % 40) - 4);
    ASSERT_NEAR(double{glsl::reciprocal(a)} * a, 1.0, 2e-7) << a;
  }
}

TEST(ScatterWords, AreLightTimesWeightInTheMean) {
  constexpr float kWeight = 1000.25f;
  constexpr int kSide = 64;
  glm::dvec4 sum(0.0);
  for (int i = 0; i < kSide * kSide; ++i)
    sum += glm::dvec4(glsl::scatterWords({0.5f, 3.0f, 100.0f}, kWeight, {i % kSide, i / kSide}));
  const glm::dvec4 mean = sum / double(kSide * kSide);
  EXPECT_NEAR(mean.x, 0.5 * kWeight, 0.05);
  EXPECT_NEAR(mean.y, 3.0 * kWeight, 0.05);
  EXPECT_NEAR(mean.z, 64.0 * kWeight, 0.05) << "the largest light";
  EXPECT_NEAR(mean.w, 1.0 * kWeight, 0.05) << "coverage";
}

}  // namespace
}  // namespace satdof
