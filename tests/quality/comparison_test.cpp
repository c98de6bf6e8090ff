#include "app/quality/comparison.h"

#include <gmock/gmock.h>

#include <cmath>

namespace satdof {
namespace {

using testing::ElementsAre;

constexpr glm::ivec2 kSize{16, 12};

// Constant images: A is 0.25, B is 0.75, B with another seed is 0.5.
class ComparisonTest : public testing::Test {
 protected:
  ComparisonTest() { settings.size = kSize; }
  Comparison compareWith(LensKind lens) {
    return compare(
        settings, lens,
        [&](const Settings& wanted) {
          drawn.push_back(wanted);
          const float other = wanted.lens.lensSeed == settings.lens.lensSeed ? 0.75f : 0.5f;
          return std::vector<float>(kSize.x * kSize.y * 3, wanted.split.enabled ? other : 0.25f);
        },
        [&](const Settings& captured, const std::string& name) {
          EXPECT_EQ(captured, drawn.back());
          names.push_back(name);
        });
  }

  Settings settings;
  std::vector<Settings> drawn;
  std::vector<std::string> names;
};

TEST_F(ComparisonTest, MeasuresTwoLensesAndCapturesBothImages) {
  settings.split.enabled = true;
  settings.technique.lens.kind = LensKind::box;
  settings.technique.view = View::sharp;
  const Comparison found = compareWith(LensKind::gems);
  EXPECT_EQ(found.lens, LensKind::gems);
  EXPECT_EQ(found.samples, 1);
  EXPECT_NEAR(found.metrics.psnrDb, 20 * std::log10(2.0), 1e-9);
  EXPECT_FALSE(found.noiseFloor);
  EXPECT_THAT(names, ElementsAre("gems", "difference"));
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_FALSE(drawn[0].split.enabled);
  EXPECT_EQ(drawn[1].split.b.lens.kind, LensKind::gems);
  EXPECT_EQ(drawn[1].split.b.view, View::final);
  EXPECT_EQ(drawn[1].split.position, 0.0f);
  EXPECT_EQ(drawn[2].technique.view, View::difference);
}

TEST_F(ComparisonTest, TheNoiseFloorIsTheReferenceWithTheNextSeed) {
  settings.lens.lensSamples = 64;
  settings.lens.lensSeed = 3;
  const Comparison found = compareWith(LensKind::reference);
  EXPECT_EQ(found.samples, 64);
  ASSERT_TRUE(found.noiseFloor);
  EXPECT_NEAR(found.noiseFloor->psnrDb, 20 * std::log10(4.0), 1e-9);
  ASSERT_EQ(drawn.size(), 4u);
  EXPECT_EQ(drawn[3].lens.lensSeed, 4);
  EXPECT_EQ(drawn[3].split.b.lens.kind, LensKind::reference);
}

}  // namespace
}  // namespace satdof
