#include "app/ui/image/placement.h"

#include <gtest/gtest.h>

#include <glm/vector_relational.hpp>

namespace satdof {
namespace {

constexpr Rectangle kScreen{{100, 0}, {640, 400}};
constexpr glm::vec2 kSize(200, 120);
constexpr float kGap = 10.0f;

TEST(Placement, RightOfTheBoxIfThereIsRoom) {
  const auto place = placedBeside(kSize, {{200, 150}, {240, 190}}, kScreen, kGap);
  EXPECT_EQ(place.value(), glm::vec2(250, 150));
}

TEST(Placement, LeftBelowOrAboveElse) {
  EXPECT_EQ(placedBeside(kSize, {{500, 150}, {600, 190}}, kScreen, kGap).value(), glm::vec2(290, 150));
  EXPECT_EQ(placedBeside(kSize, {{250, 20}, {500, 190}}, kScreen, kGap).value(), glm::vec2(250, 200));
  EXPECT_EQ(placedBeside(kSize, {{250, 200}, {500, 390}}, kScreen, kGap).value(), glm::vec2(250, 70));
}

TEST(Placement, NothingWhereNoSideHasRoom) {
  EXPECT_FALSE(placedBeside(kSize, {{200, 50}, {600, 350}}, kScreen, kGap));
  EXPECT_FALSE(placedBeside({600, 20}, {{200, 50}, {210, 60}}, kScreen, kGap)) << "wider than the image";
}

// Wherever the pixel is, its label is in the image and does not cover it.
TEST(Placement, NeverOnThePixel) {
  for (float y = 0; y < 400; y += 7)
    for (float x = 100; x < 640; x += 7) {
      const Rectangle pixel{{x, y}, {x + 1, y + 1}};
      const auto place = placedBeside(kSize, pixel, kScreen, kGap);
      ASSERT_TRUE(place) << x << " " << y;
      EXPECT_FALSE(overlap({*place, *place + kSize}, pixel));
      EXPECT_TRUE(glm::all(glm::greaterThanEqual(*place, kScreen.from)));
      EXPECT_TRUE(glm::all(glm::lessThanEqual(*place + kSize, kScreen.to)));
    }
}

TEST(Placement, TouchingRectanglesDoNotOverlap) {
  EXPECT_FALSE(overlap({{0, 0}, {1, 1}}, {{1, 0}, {2, 1}}));
  EXPECT_TRUE(overlap({{0, 0}, {2, 2}}, {{1, 1}, {3, 3}}));
}

}  // namespace
}  // namespace satdof
