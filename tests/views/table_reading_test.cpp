#include "app/views/table_reading.h"

#include <gmock/gmock.h>

#include <bit>

namespace satdof {
namespace {

using testing::HasSubstr;
using testing::Not;

glm::uvec4 same(std::uint32_t value) { return glm::uvec4(value); }
glm::uvec4 bits(float value) { return same(std::bit_cast<std::uint32_t>(value)); }

// A table of an image with 3 units in every pixel, around pixel (10, 20).
TableReading sample() {
  TableReading reading{.scale = 2.0f, .pixel = {10, 20}, .radiusPx = 2.4f, .blurs = true};
  const auto box = [](int reach) {
    TableBox of{{10 - reach, 20 - reach}, {11 + reach, 21 + reach}, {}};
    for (const auto corner : {TableBox::a, TableBox::b, TableBox::c, TableBox::d}) {
      const glm::ivec2 at = of.at(corner);
      of.corners[corner] = same(3u * static_cast<std::uint32_t>(at.x * at.y));
    }
    return of;
  };
  reading.element = same(3 * 11 * 21);
  reading.inner = box(1);
  reading.outer = box(2);
  reading.outerWeight = 0.25f;
  return reading;
}

TEST(TableReading, CornersOfTheBox) {
  const TableBox box{{2, 5}, {7, 9}, {}};
  EXPECT_EQ(box.at(TableBox::a), glm::ivec2(2, 5));
  EXPECT_EQ(box.at(TableBox::b), glm::ivec2(7, 5));
  EXPECT_EQ(box.at(TableBox::c), glm::ivec2(2, 9));
  EXPECT_EQ(box.at(TableBox::d), glm::ivec2(7, 9));
  EXPECT_EQ(box.areaPx(), 20);
}

TEST(TableReading, SumsWrapModulo2To32) {
  TableReading reading = sample();
  EXPECT_EQ(sumOver(reading, reading.inner), same(3 * 9));
  for (auto& corner : reading.inner.corners) corner += 0xfffffff0u;
  EXPECT_EQ(sumOver(reading, reading.inner), same(3 * 9));
}

TEST(TableReading, FloatsAreDecodedAndTheMeanIsAdded) {
  TableReading reading = sample();
  reading.format = TableFormat::float32Mean;
  reading.mean = glm::vec4(0.5f);
  reading.inner.corners = {bits(1.0f), bits(2.5f), bits(3.0f), bits(8.0f)};
  const glm::uvec4 sum = sumOver(reading, reading.inner);
  EXPECT_EQ(sum, bits(3.5f));
  EXPECT_EQ(lightOf(reading, sum, 9), glm::vec4(3.5f + 4.5f));
  EXPECT_THAT(textOf(reading), HasSubstr("as stored"));
  EXPECT_THAT(textOf(reading), HasSubstr("S = D - B - C + A\t3.5\t3.5"));
}

TEST(TableReading, TheMeanIsOfBothBoxes) {
  TableReading reading = sample();
  EXPECT_EQ(meanOf(reading), glm::vec4(1.5f));
  reading.outer.corners = {};  // dark
  EXPECT_FLOAT_EQ(meanOf(reading).x, 0.75f * 13.5f / (0.75f * 9.0f + 0.25f * 25.0f));
}

TEST(TableReading, TextInPlainWords) {
  EXPECT_EQ(textOf(sample()),
            "T(10, 20)\tR\tG\tB\tA\n"
            "fixed point\t693\t693\t693\t693\n"
            "linear light\t346.5\t346.5\t346.5\t346.5\n"
            "modulo 2^32, light modulo 2.14748e+09\n"
            "circle of confusion 4.80 px, box 3 x 3\n"
            "+D T(11, 21)\t792\t792\t792\t792\n"
            "-B T(11, 18)\t684\t684\t684\t684\n"
            "-C T(8, 21)\t594\t594\t594\t594\n"
            "+A T(8, 18)\t513\t513\t513\t513\n"
            "S = D - B - C + A\t27\t27\t27\t27\n"
            "S in linear light\t13.5\t13.5\t13.5\t13.5\n"
            "mean of 9 px\t1.5\t1.5\t1.5\t1.5\n"
            "shown: 25% of 5 x 5\t1.5\t1.5\t1.5\t1.5");
}

TEST(TableReading, TheHeavierBoxIsShown) {
  TableReading reading = sample();
  EXPECT_EQ(reading.box(), reading.inner);
  reading.outerWeight = 0.75f;
  EXPECT_EQ(reading.box(), reading.outer);
  EXPECT_THAT(textOf(reading), HasSubstr("box 5 x 5"));
  EXPECT_THAT(textOf(reading), HasSubstr("shown: 25% of 3 x 3"));
}

TEST(TableReading, TextWithoutABox) {
  TableReading reading = sample();
  reading.blurs = false;
  EXPECT_THAT(textOf(reading), HasSubstr("circle of confusion 4.80 px: no box"));
  EXPECT_THAT(textOf(reading), Not(HasSubstr("S =")));
  reading = sample();
  reading.isMean = false;
  EXPECT_THAT(textOf(reading), HasSubstr("mean of 9 px"));
  EXPECT_THAT(textOf(reading), Not(HasSubstr("shown")));
}

TEST(TableReading, CornersOutsideTheImageAreNamed) {
  TableReading reading = sample();
  reading.inner.from.x = 0;
  EXPECT_THAT(textOf(reading), HasSubstr("-C outside\t"));
  EXPECT_THAT(textOf(reading), HasSubstr("+A outside\t"));
  EXPECT_THAT(textOf(reading), HasSubstr("-B T(11, 18)\t"));
}

TEST(TableReading, MarksAreInTheImageWithoutItsMargin) {
  const TableMarks marks = marksOf(sample(), true, {5, 5}, {20, 40});
  EXPECT_EQ(marks.origin, glm::vec2(-0.25f, -0.125f));
  EXPECT_TRUE(marks.marksOrigin);
  EXPECT_EQ(marks.pixel.value()[0], glm::vec2(0.25f, 0.375f));
  EXPECT_EQ(marks.pixel.value()[1], glm::vec2(0.3f, 0.4f));
  EXPECT_EQ(marks.box.value()[0], glm::vec2(0.2f, 0.35f));
  EXPECT_EQ(marks.box.value()[1], glm::vec2(0.35f, 0.425f));
  TableReading sharp = sample();
  sharp.blurs = false;
  EXPECT_FALSE(marksOf(sharp, true, {0, 0}, {20, 40}).box);
  EXPECT_FALSE(marksOf(std::nullopt, false, {0, 0}, {20, 40}).pixel);
}

}  // namespace
}  // namespace satdof
