#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/lens/aperture/aperture.h"
#include "app/lens/box/plan.h"
#include "app/lens/fixed_point.h"
#include "app/lens/layered/plan.h"
#include "app/lens/reference/reference.h"
#include "app/lens/tent/plan.h"
#include "app/lens/thin_lens.h"

// The plans of the lenses are pure functions: these tests need neither a GPU nor an OpenGL context.
namespace satdof {
namespace {

using testing::AllOf, testing::Ge, testing::Le;

// 50 mm at f/2 focused at 2.05 m, 1080 rows on 24 mm: K = .05^2 1080 / (2 2 2 .024) = 14.0625 px.
constexpr float kFarPx = 14.0625f;

LensSettings lens2m() {
  LensSettings lens;
  lens.focusDistanceM = 2.05f;
  lens.focalLengthMm = 50.0f;
  lens.fNumber = 2.0f;
  lens.sensorHeightMm = 24.0f;
  return lens;
}

// The same lens with a far radius of `farPx`.
LensSettings lensOf(float farPx) {
  LensSettings lens = lens2m();
  lens.fNumber *= kFarPx / farPx;
  return lens;
}

SceneFacts factsAt(float nearestM, glm::ivec2 size = {1920, 1080}) {
  return {.size = size, .focalPx = 2250.0f, .nearM = 0.1f, .nearestM = nearestM};
}

bool isPowerOfTwo(float scale) {
  int exponent = 0;
  return std::frexp(scale, &exponent) == 0.5f;
}

double boxArea(double rows, double ratio, glm::ivec2 size) {
  return std::min<double>((rows - 1) * ratio + 1, size.x) * std::min<double>(rows, size.y);
}

// The largest box of half-height `halfPx` fits in 32 bits if every pixel has the clip value.
void expectBoxFits(float scale, float ceiling, double halfPx, double ratio, glm::ivec2 size) {
  EXPECT_TRUE(isPowerOfTwo(scale)) << scale;
  EXPECT_LT((double(scale) * double(ceiling) + 0.5) * boxArea(2 * std::ceil(halfPx) + 3, ratio, size), 0x1p32);
}

struct Random {
  std::mt19937 bits{39};
  float between(float low, float high) { return std::uniform_real_distribution(low, high)(bits); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(bits); }
  LensSettings lens() {
    LensSettings lens;
    lens.focusDistanceM = std::exp2(between(-3, 8));
    lens.focalLengthMm = between(10, 200);
    lens.fNumber = std::exp2(between(-3, 6));
    lens.nearScale = between(0, 4);
    lens.farScale = between(0, 4);
    lens.anamorphicRatio = std::exp2(between(-2, 2));
    lens.kernelSteps = integer(1, 5);
    lens.layers = integer(1, 2);
    lens.gemsMaxRadiusPx = between(0, 100);
    return lens;
  }
  SceneFacts facts() { return factsAt(std::exp2(between(-3, 4)), {integer(1, 4000), integer(1, 3000)}); }
};

// Near and far radius are both K: half-width sqrt(pi) / 2 K = 12.46 px, so the largest box has 29 x 29 pixels
// and (2^32 / 841 - 1/2) / 64 = 79796.
TEST(BoxPlanTest, MatchesHandComputedValues) {
  const BoxPlan plan = boxPlan(kThinLensRule, lens2m(), factsAt(1.025f));
  EXPECT_NEAR(plan.blur.lens.beta, kFarPx, 1e-4);
  EXPECT_EQ(plan.ceiling, 64.0f);
  EXPECT_EQ(plan.scale, 65536.0f);
}

// gemsMaxRadiusPx is a half-width at 1080 rows: 24 px at 2160 rows, boxes of 51 x 51 pixels.
TEST(BoxPlanTest, GemsRadiusScalesWithTheHeight) {
  const BoxPlan plan = boxPlan(kLinearRule, lens2m(), factsAt(1.025f, {3840, 2160}));
  EXPECT_NEAR(glsl::boxHalfWidth(plan.blur.fullRadiusPx), 24.0f, 1e-4);
  EXPECT_EQ(plan.blur.focusM, 2.05f);
  EXPECT_EQ(plan.blur.lens.anamorphicRatio, 1.0f);
  EXPECT_EQ(plan.ceiling, 64.0f);
  EXPECT_EQ(plan.scale, 16384.0f);
}

// A radius of 200 px has boxes of 359.5 x 359.5 pixels: 2^20 / 359.5^2 = 8.11.
TEST(BoxPlanTest, CeilingFallsWithTheRadius) {
  EXPECT_NEAR(boxPlan(kThinLensRule, lensOf(200.0f), factsAt(2.05f)).ceiling, 8.11f, 0.01f);
  EXPECT_EQ(boxPlan(kThinLensRule, lensOf(2000.0f), factsAt(2.05f)).ceiling, 4.0f);
}

TEST(BoxPlanTest, EveryBoxFitsForRandomSettings) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const LensSettings lens = random.lens();
    const SceneFacts facts = random.facts();
    for (const BlurRule* rule : {&kThinLensRule, &kLinearRule}) {
      const BoxPlan plan = boxPlan(*rule, lens, facts);
      EXPECT_THAT(plan.ceiling, AllOf(Ge(4.0f), Le(64.0f)));
      const double ratio = plan.blur.lens.anamorphicRatio;
      expectBoxFits(plan.scale, plan.ceiling, glsl::boxHalfWidth(rule->largestRadiusPx(lens, facts)), ratio,
                    facts.size);
    }
  }
}

TEST(BlurPlanTest, RadiiFollowTheHeightOfAPhotographBetweenBars) {
  SceneFacts facts = factsAt(2.05f);
  for (const BlurRule* rule : {&kThinLensRule, &kLinearRule}) {
    facts.photographPx = 0;
    const float whole = rule->largestRadiusPx(lensOf(24.0f), facts);
    facts.photographPx = facts.size.y / 4;
    EXPECT_FLOAT_EQ(rule->largestRadiusPx(lensOf(24.0f), facts), whole / 4.0f);
  }
}

TEST(BlurPlanTest, ScalesOfZeroLeaveNoRadius) {
  LensSettings lens = lensOf(24.0f);
  lens.nearScale = lens.farScale = 0.0f;
  EXPECT_EQ(kThinLensRule.largestRadiusPx(lens, factsAt(2.05f)), 0.0f);
  lens.farScale = 0.125f;
  EXPECT_FLOAT_EQ(kThinLensRule.largestRadiusPx(lens, factsAt(2.05f)), 3.0f);
}

struct TentCase {
  float farPx;
  int shrink, widest;
  float ceiling, scale;
};

// Half-width r = widest + 1 in cells, levels = floor((2^32 - 1) / r^4) - 1 (at most 2^22), ceiling =
// levels / 2^9 between 4 and 64, scale = levels / (ceiling shrink^2).
TEST(TentRuleTest, MatchesHandComputedValues) {
  for (const TentCase& c : {TentCase{3.0f, 1, 3, 64.0f, 65536.0f},           // r = 4: 2^22 levels
                            TentCase{24.0f, 1, 29, 5301.0f / 512, 512.0f},   // r = 30: 5301 levels
                            TentCase{25.7f, 1, 31, 4094.0f / 512, 512.0f},   // r = 32: 4094 levels, r^4 divides 2^32
                            TentCase{48.0f, 1, 58, 4.0f, 353.0f / 4},        // r = 59: 353 levels
                            TentCase{90.0f, 2, 55, 4.0f, 435.0f / 16},       // r = 56: 435 levels
                            TentCase{1000.0f, 2, 62, 4.0f, 271.0f / 16}}) {  // r = 63: 271 levels
    const glsl::TentRule plan = tentRule(lensOf(c.farPx), factsAt(2.05f));
    SCOPED_TRACE(c.farPx);
    EXPECT_EQ(plan.shrink, c.shrink);
    EXPECT_EQ(plan.widest, c.widest);
    EXPECT_FLOAT_EQ(plan.ceiling, c.ceiling);
    EXPECT_FLOAT_EQ(plan.scale, c.scale);
  }
}

// r = 56 cells along y and 73 along x leave exactly the fewest levels, 256.
TEST(TentRuleTest, TheFewestLevelsAreEnough) {
  LensSettings lens = lensOf(1000.0f);
  lens.anamorphicRatio = 1.295f;
  const glsl::TentRule plan = tentRule(lens, factsAt(2.05f));
  EXPECT_EQ(plan.shrink, 2);
  EXPECT_EQ(plan.widest, 55);
  EXPECT_FLOAT_EQ(plan.scale, 16.0f);
}

TEST(TentRuleTest, EveryTentFitsForRandomSettings) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const LensSettings lens = random.lens();
    const glsl::TentRule plan = tentRule(lens, random.facts());
    EXPECT_THAT(plan.shrink, AllOf(Ge(1), Le(2)));
    EXPECT_THAT(plan.ceiling, AllOf(Ge(4.0f), Le(64.0f)));
    const double ratio = double(lens.anamorphicRatio), r = plan.widest + 1;
    const double weight = std::pow(r * std::ceil(std::sqrt(1 + (r * r - 1) * ratio * ratio)), 2);
    const double levels = double(plan.ceiling) * double(plan.scale) * plan.shrink * plan.shrink;
    EXPECT_GE(levels, 255.9);
    EXPECT_LT((levels + 0.9) * weight, 0x1p32);
  }
}

// The near radius at 1.025 m is K. Far table: 33 x 33 pixels.
TEST(LayeredPlanTest, MatchesHandComputedValues) {
  const LayeredPlan plan = layeredPlan(lens2m(), factsAt(1.025f), true);
  EXPECT_NEAR(plan.lens.beta, kFarPx, 1e-4);
  EXPECT_TRUE(plan.anyNear);
  EXPECT_FALSE(plan.secondLayer);
  EXPECT_EQ(plan.scatter.steps, 3);
  EXPECT_EQ(plan.scatter.widestPx, 22.0f);  // K + 2 rounded up to a multiple of 8, less 2
  EXPECT_NEAR(plan.nearPx, kFarPx, 1e-4);
  EXPECT_EQ(plan.farCeiling, 64.0f);
  EXPECT_EQ(plan.farScale, 32768.0f);  // below (2^32 / 1089 - 1/2) / 64 = 61624
}

TEST(LayeredPlanTest, WithoutNearSurfacesThereIsNoNearField) {
  for (const float nearestM : {2.05f, 3.0f, 100.0f}) {
    const LayeredPlan plan = layeredPlan(lens2m(), factsAt(nearestM), true);
    EXPECT_FALSE(plan.anyNear) << nearestM;
    EXPECT_NEAR(plan.nearPx, 0.0f, 1e-5) << nearestM;
    EXPECT_EQ(plan.scatter.widestPx, 6.0f) << nearestM;
  }
  LensSettings lens = lens2m();
  lens.nearScale = 0.0f;
  EXPECT_FALSE(layeredPlan(lens, factsAt(0.5f), true).anyNear);
}

// Every body is scattered; in the distance, the radius is K.
TEST(LayeredPlanTest, TheScatterOfSparseSurfacesIsAsWideBehindTheFocusPlane) {
  SceneFacts facts = factsAt(2.05f);
  facts.sparse = true;
  const LayeredPlan plan = layeredPlan(lens2m(), facts, true);
  EXPECT_NEAR(plan.nearPx, kFarPx, 1e-4);
  EXPECT_EQ(plan.scatter.widestPx, 22.0f);
}

TEST(LayeredPlanTest, RadiiAboveHalfAPixelAreNear) {
  const auto at = [](float nearPx) { return factsAt(2.05f / (1 + nearPx / kFarPx)); };
  EXPECT_FALSE(layeredPlan(lens2m(), at(0.4f), true).anyNear);
  EXPECT_TRUE(layeredPlan(lens2m(), at(0.6f), true).anyNear);
}

TEST(LayeredPlanTest, TheTableFitsTheWiderSideOfTheLargestBox) {
  LensSettings lens = lens2m();
  lens.farScale = 10.0f;
  for (const float ratio : {0.5f, 1.0f, 2.0f}) {
    lens.anamorphicRatio = ratio;
    const SceneFacts facts = factsAt(3.0f);
    const LayeredPlan plan = layeredPlan(lens, facts, true);
    const float widestPx = plan.lens.beta * 10.0f * std::max(ratio, 1.0f);
    EXPECT_EQ(plan.farCeiling, fixedPointCeiling(widestPx, facts.size)) << ratio;
    EXPECT_LT(plan.farCeiling, 64.0f);
  }
}

TEST(LayeredPlanTest, SecondLayerNeedsTwoLayersAndARedraw) {
  LensSettings lens = lens2m();
  EXPECT_FALSE(layeredPlan(lens, factsAt(0.5f), true).secondLayer);
  lens.layers = 2;
  EXPECT_FALSE(layeredPlan(lens, factsAt(0.5f), false).secondLayer);
  EXPECT_TRUE(layeredPlan(lens, factsAt(0.5f), true).secondLayer);
}

// The second layer can have the near radius, K (2.05 / .5 - 1) = 43.6 px: 91 x 91 pixels. What fills a hole can have
// 0.6 times that radius, 26.2 px: 57 x 57 pixels.
TEST(LayeredPlanTest, TheFarTableHoldsDiscsOfTheNearRadius) {
  LensSettings lens = lens2m();
  EXPECT_EQ(layeredPlan(lens, factsAt(0.5f), true).farScale, 16384.0f);
  lens.layers = 2;
  EXPECT_EQ(layeredPlan(lens, factsAt(0.5f), true).farScale, 4096.0f);
}

TEST(LayeredPlanTest, EveryBoxFitsForRandomSettings) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const LensSettings lens = random.lens();
    const SceneFacts facts = random.facts();
    const LayeredPlan plan = layeredPlan(lens, facts, i % 2 == 0);
    EXPECT_THAT(plan.farCeiling, AllOf(Ge(4.0f), Le(64.0f)));
    // thinLens() moves a focus distance within the focal length just beyond it.
    if (facts.nearestM > 1.001f * std::max(lens.focusDistanceM, 1.001e-3f * lens.focalLengthMm)) {
      EXPECT_FALSE(plan.anyNear);
    }
    const float nearPx =
        std::clamp(-radiusPx(plan.lens, facts.nearM / facts.nearestM) * lens.nearScale, 0.0f, glsl::widestRadiusPx());
    EXPECT_EQ(plan.nearPx, nearPx);
    EXPECT_GE(plan.scatter.widestPx, nearPx * (1 - 1e-6f));
    const double widest = std::max(1.0f, lens.anamorphicRatio);
    const float backPx = std::min(plan.lens.beta * lens.farScale, glsl::widestRadiusPx());
    const double farPx = double(std::max({backPx, (plan.secondLayer ? 1.0f : 0.6f) * nearPx, 1.0f}));
    expectBoxFits(plan.farScale, plan.farCeiling, std::floor(farPx * widest), 1.0, facts.size);
  }
}

// A point at infinity has a radius of 14.1 px, and 2 % of the height are 21.6 px. With a nearest radius of 150 px, the
// foremost layer begins at 10.8 px, and all surfaces from 17.28 px on are in it alone.
TEST(LayeredPlanTest, TheForemostLayerAndTheOthersAreTheWholeScatter) {
  const LayeredPlan plan = layeredPlan(lens2m(), factsAt(2.05f / (1 + 150.0f / kFarPx)), true);
  ASSERT_TRUE(plan.anyForemost);
  EXPECT_GE(plan.foremost.widestPx, 150.0f);
  EXPECT_GE(plan.others.widestPx, 17.28f);
  EXPECT_LT(plan.others.widestPx, 30.0f);
  for (float r = 1.0f; r > -60.0f; r -= 0.01f) {
    const float foremost = glsl::scatteredPart(r, plan.foremost.band);
    const float others = glsl::scatteredPart(r, plan.others.band);
    ASSERT_NEAR(foremost + others, glsl::nearPart(r), 1e-6) << r;
    ASSERT_EQ(foremost > 0.0f, r < -10.8f) << r;
    ASSERT_EQ(others > 0.0f, r < -0.0625f && r > -17.28f) << r;
  }
}

// It appears between 4 and 6 times 21.6 px: 86.4 and 129.6 px. Until then, the nearest surface is not in it.
TEST(LayeredPlanTest, TheForemostLayerAppearsWithoutAJump) {
  const auto at = [](float nearPx) { return layeredPlan(lens2m(), factsAt(2.05f / (1 + nearPx / kFarPx)), true); };
  EXPECT_FALSE(at(86.0f).anyForemost);
  EXPECT_EQ(at(86.0f).others, at(86.0f).scatter);
  const auto partOf = [&](float nearPx, float r) { return glsl::scatteredPart(-r, at(nearPx).foremost.band); };
  EXPECT_LT(partOf(86.5f, 86.5f), 0.1f);
  float before = 0.0f;
  for (float nearPx = 86.5f; nearPx < 135.0f; nearPx += 0.125f) {
    const float part = partOf(nearPx, 80.0f);
    ASSERT_GE(part, before) << nearPx;
    ASSERT_LT(part - before, 0.1f) << nearPx;
    before = part;
  }
  EXPECT_EQ(before, 1.0f);
  EXPECT_EQ(at(129.7f).foremost.band, at(150.0f).foremost.band);
}

// The radius of a point at infinity is 14.1 px: 0.3 to 0.45 of it, 0.6 to 0.85 of it, with steps of at least 2 px.
TEST(LayeredPlanTest, MiddleLayersNeedASecondLayerAndGrowWithTheBlur) {
  LensSettings lens = lens2m();
  lens.layers = 1;
  EXPECT_FALSE(layeredPlan(lens, factsAt(1.0f), true).anyMiddle);
  lens.layers = 2;
  EXPECT_FALSE(layeredPlan(lens, factsAt(1.0f), false).anyMiddle);
  SceneFacts sparse = factsAt(1.0f);
  sparse.sparse = true;
  EXPECT_FALSE(layeredPlan(lens, sparse, true).anyMiddle);
  const LayeredPlan plan = layeredPlan(lens, factsAt(1.0f), true);
  ASSERT_TRUE(plan.anyMiddle);
  EXPECT_NEAR(plan.middle.second.x, 0.3f * kFarPx, 0.01f);
  EXPECT_NEAR(plan.middle.far.x, 0.6f * kFarPx, 0.01f);
  EXPECT_GE(plan.middleScatter[0].widestPx, plan.middle.second.y);
  EXPECT_GE(plan.middleScatter[1].widestPx, plan.middle.far.y);
  MiddleRule before;
  for (lens.fNumber = 8.0f; lens.fNumber > 0.3f; lens.fNumber *= 0.999f) {
    const MiddleRule rule = layeredPlan(lens, factsAt(1.0f), true).middle;
    ASSERT_LE(rule.second.x, rule.far.x);
    ASSERT_LT(rule.far.x, rule.far.y);
    ASSERT_LE(rule.second.y, rule.far.y);
    for (const auto& [now, last] : {std::pair(rule.second, before.second), {rule.far, before.far}})
      for (int i = 0; i < 2; ++i) ASSERT_NEAR(now[i], last[i], 0.005f + 0.004f * last[i]) << lens.fNumber;
    before = rule;
  }
}

TEST(LayeredPlanTest, TheHiddenNearFieldNeedsASecondLayerAndANearField) {
  LensSettings lens = lens2m();
  lens.layers = 2;
  EXPECT_TRUE(layeredPlan(lens, factsAt(1.0f), true).anyHidden);
  EXPECT_FALSE(layeredPlan(lens, factsAt(2.05f), true).anyHidden);
  EXPECT_FALSE(layeredPlan(lens, factsAt(1.0f), false).anyHidden);
  SceneFacts sparse = factsAt(1.0f);
  sparse.sparse = true;
  EXPECT_FALSE(layeredPlan(lens, sparse, true).anyHidden);
  lens.layers = 1;
  EXPECT_FALSE(layeredPlan(lens, factsAt(1.0f), true).anyHidden);
}

// u = (1/2 / p, 1/2 / p^2) with the plastic number p = 1.3247: (.377439, .284920).
TEST(AperturePointTest, MatchesHandComputedPoints) {
  const auto expectPoint = [](glm::vec2 point, float x, float y) {
    EXPECT_NEAR(point.x, x, 1e-6);
    EXPECT_NEAR(point.y, y, 1e-6);
  };
  expectPoint(aperturePoint(0, 0, 0, 0.0f), -0.1861557f, -0.3877930f);
  expectPoint(aperturePoint(1, 0, 0, 0.0f), -0.5341370f, 0.5054328f);
  expectPoint(aperturePoint(0, 0, 4, 0.0f), -0.1225612f, -0.3075985f);
  expectPoint(aperturePoint(0, 0, 4, 45.0f), 0.1308412f, -0.3041689f);
}

// The aperture radius is f / (2 N) S / (S - f) = 12.5 mm 2.05 / 2 = 12.8125 mm: as seen from the focus plane.
TEST(ViewOffsetTest, ScalesTheAperturePoint) {
  LensSettings lens = lens2m();
  lens.anamorphicRatio = 0.5f;
  lens.nearScale = 0.25f;
  lens.farScale = 3.0f;
  lens.blades = 5;
  lens.bladeRotationDegrees = 20.0f;
  lens.lensSeed = 7;
  for (const int index : {0, 1, 100}) {
    const ViewOffset offset = viewOffset(lens, factsAt(1.0f), index);
    const glm::vec2 point = aperturePoint(index, 7, 5, 20.0f);
    EXPECT_NEAR(offset.apertureM.x, 0.5f * 0.0128125f * point.x, 1e-7);
    EXPECT_NEAR(offset.apertureM.y, 0.0128125f * point.y, 1e-7);
    EXPECT_EQ(offset.focusDistanceM, 2.05f);
    EXPECT_EQ(offset.nearScale, 0.25f);
    EXPECT_EQ(offset.farScale, 3.0f);
  }
}

}  // namespace
}  // namespace satdof
