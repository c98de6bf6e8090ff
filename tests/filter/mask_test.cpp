#include "app/filter/mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "tests/support/parsed.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string complaint(const std::string& json) {
  return test::reasonOf<UsageError>([&] { parseMask(json, "mask.json"); });
}

std::string refusal(const std::vector<std::string>& arguments) {
  return test::reasonOf<UsageError>([&] { test::parsed(arguments); });
}

TEST(FilterMaskTest, MessagesShowForeignKeysEscapedAndShortened) {
  EXPECT_THAT(complaint("{\"a\x7f\\u001b\": 1}"), HasSubstr("unknown key \"a\\x7f\\u001b\""));
  EXPECT_THAT(complaint("{\"" + std::string(100000, 'k') + "\": 1}"), SizeIs(testing::Lt(300u)));
}

TEST(FilterMaskTest, FilesBeginWithTheTopRow) {
  const FilterMask mask =
      parseMask(R"({"width": 3, "height": 1, "weights": [1, 2, 3], "scale": 0.5, "offset": 0.25})", "mask.json");
  EXPECT_EQ(mask.width, 3);
  EXPECT_EQ(mask.height, 1);
  EXPECT_THAT(mask.weights, ElementsAre(0.5f, 1.0f, 1.5f));
  EXPECT_EQ(mask.offset, 0.25f);
  EXPECT_THAT(parseMask(R"({"width": 1, "height": 3, "weights": [1, 2, 3]})", "mask.json").weights,
              ElementsAre(3, 2, 1));
  const FilterMask factors =
      parseMask(R"({"width": 3, "height": 3, "x": [1, 2, 1], "y": [1, 0, -1], "scale": 2})", "mask.json");
  EXPECT_THAT(factors.weights, ElementsAre(-2, -4, -2, 0, 0, 0, 2, 4, 2));
  EXPECT_TRUE(factors.separable());
}

TEST(FilterMaskTest, RefusesInOneLineThatNamesTheFileAndTheKey) {
  const auto says = [](const char* what) {
    return AllOf(HasSubstr("cannot read the mask \"mask.json\": "), HasSubstr(what), Not(HasSubstr("\n")));
  };
  EXPECT_THAT(complaint(""), says("line 1: not valid JSON"));
  EXPECT_THAT(complaint("{\n\"width\" 3}"), says("line 2: not valid JSON"));
  EXPECT_THAT(complaint("[]"), says("must be a JSON object"));
  EXPECT_THAT(complaint(R"({"height": 1, "weights": [1]})"), says("\"width\" is missing"));
  EXPECT_THAT(complaint(R"({"width": 1, "weights": [1]})"), says("\"height\" is missing"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1})"), says("\"weights\" is missing"));
  for (const char* side : {"2", "0", "-3", "65", "1.5", "\"3\"", "null", "99999999999999999999", "[3]"})
    EXPECT_THAT(complaint(std::string(R"({"width": )") + side + R"(, "height": 1, "weights": [1]})"),
                says("\"width\" must be an odd whole number from 1 to 63"))
        << side;
  EXPECT_THAT(complaint(R"({"width": 3, "height": 1, "weights": [1, 2]})"),
              says("\"weights\" must have 3 numbers, not 2"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": 1})"), says("must be a list of numbers"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": ["1"]})"), says("number 1 must be a number"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [[1]]})"), says("number 1 must be a number"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [NaN]})"), says("not valid JSON"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [1e999]})"), says("too large"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [1e300]})"), says("from -65504 to 65504"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [1], "offset": 1e6})"), says("\"offset\""));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [1], "sclae": 2})"), says("unknown key \"sclae\""));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "weights": [1], "x": [1], "y": [1]})"),
              says("either weights, or x and y"));
  EXPECT_THAT(complaint(R"({"width": 1, "height": 1, "x": [1]})"), says("\"y\" is missing"));
  EXPECT_THAT(complaint(std::string(100000, '[')), says("levels of groups"));
}

TEST(FilterMaskTest, BadFilesAreBadUsage) {
  EXPECT_THAT(refusal({"--filter", "/nowhere/mask.json"}),
              AllOf(HasSubstr("/nowhere/mask.json"), HasSubstr("No such file")));
  const test::TemporaryFolder folder;
  const std::string damaged = folder.write("damaged.json", "{");
  EXPECT_THAT(refusal({"--filter", damaged}), AllOf(HasSubstr(damaged), HasSubstr("line 1")));
  const std::string large = folder.write("large.json", std::string((1 << 20) + 1, ' '));
  EXPECT_THAT(refusal({"--filter", large}), HasSubstr(large));
  EXPECT_THAT(refusal({"--filter", "blurr"}),
              AllOf(HasSubstr("--filter blurr"), HasSubstr("none, blur, sharpen"), HasSubstr(".json")));
  EXPECT_THAT(refusal({"--filter", "\xff.json"}), HasSubstr("No such file"));
  EXPECT_THAT(refusal({"--filter-radius", "32"}), HasSubstr("from 1 to 31"));
  EXPECT_THAT(refusal({"--filter-variant", "cuda"}), HasSubstr("cuda-tiled"));
}

TEST(FilterMaskTest, SettingsAndOptions) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("good.json", R"({"width": 1, "height": 1, "weights": [2]})");
  const Settings settings =
      test::parsed({"--filter", path, "--filter-variant", "cpu", "--filter-form", "direct", "--filter-radius", "7"})
          .settings();
  const FilterSettings expected{{path}, 7, FilterVariant::cpu, FilterForm::direct};
  EXPECT_EQ(settings.filter, expected);
  EXPECT_THAT(maskOf(settings.filter).weights, ElementsAre(2));
  Settings read;
  applySettingsJson(read, settingsToJson(settings), "f");
  EXPECT_EQ(read.filter, expected);
  EXPECT_TRUE(Settings{}.filter.mask.none());
}

TEST(FilterMaskTest, EveryNameHasAMask) {
  for (const MaskEntry& entry : filterMasks())
    for (const int radius : {1, 4, 31}) {
      const FilterMask mask = maskOf({.mask = {entry.name}, .radiusPx = radius});
      EXPECT_THAT(mask.weights, SizeIs(static_cast<std::size_t>(mask.width * mask.height))) << entry.name;
      EXPECT_EQ(mask.width % 2 + mask.height % 2, 2) << entry.name;
      const double sum = std::accumulate(mask.weights.begin(), mask.weights.end(), 0.0);
      EXPECT_NEAR(sum, mask.weights.front() == -1.0f && mask.weights.size() == 9 ? 0.0 : 1.0, 1e-5) << entry.name;
    }
  EXPECT_TRUE(maskOf({.mask = {"blur"}}).separable());
  EXPECT_FALSE(maskOf({.mask = {"sharpen"}}).separable());
  EXPECT_FALSE(maskOf({.mask = {"edges"}}).separable());
  EXPECT_FALSE(maskOf({.mask = {"emboss"}}).separable());
  EXPECT_THROW(maskOf({.mask = {"no such filter"}}), UsageError);
}

TEST(FilterMaskTest, FindsTheFactorsOfRankOne) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> weight(-1, 1);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {63, 63}, {1, 9}, {9, 1}}) {
    std::vector<float> x(static_cast<std::size_t>(width)), y(static_cast<std::size_t>(height));
    for (float& v : x) v = weight(random);
    for (float& v : y) v = weight(random);
    FilterMask mask{.width = width, .height = height, .weights = {}};
    for (const float v : y)
      for (const float u : x) mask.weights.push_back(u * v);
    separate(mask);
    ASSERT_TRUE(mask.separable()) << width << "x" << height;
    for (std::size_t j = 0; j < y.size(); ++j)
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(mask.x[i] * mask.y[j], x[i] * y[j], 2e-6) << i << ", " << j;
    if (width == 1 || height == 1) continue;
    mask.weights[0] += 1e-3f;
    separate(mask);
    EXPECT_FALSE(mask.separable()) << width << "x" << height;
  }
  FilterMask zero{.width = 3, .height = 3, .weights = std::vector<float>(9)};
  separate(zero);
  EXPECT_FALSE(zero.separable());
}

TEST(FilterMaskTest, ReachIsHalfOfTheWiderSide) {
  EXPECT_EQ(maskReachPx({.mask = {"none"}}), 0);
  EXPECT_EQ(maskReachPx({.mask = {"blur"}, .radiusPx = 5}), 5);
  EXPECT_EQ(maskReachPx({.mask = {"missing.json"}}), kMaxMaskSide / 2) << "reads no file";
}

TEST(FilterMaskTest, FormsOfAPlan) {
  const FilterMask blur = maskOf({.mask = {"blur"}, .radiusPx = 2}), edges = maskOf({.mask = {"edges"}});
  EXPECT_THAT(filterPlan(blur, FilterForm::automatic).passes, SizeIs(2));
  EXPECT_THAT(filterPlan(blur, FilterForm::separable).passes, SizeIs(2));
  EXPECT_THAT(filterPlan(blur, FilterForm::direct).passes, SizeIs(1));
  EXPECT_THAT(filterPlan(edges, FilterForm::automatic).passes, SizeIs(1));
  EXPECT_THROW(filterPlan(edges, FilterForm::separable), std::runtime_error);
}

TEST(FilterMaskTest, AQuickImageHasTheRadiusOfTheFullOne) {
  const auto radiusAt = [](const char* mask, int radiusPx, float scale) {
    const FilterSettings scaled = atScale({.mask = {mask}, .radiusPx = radiusPx}, scale);
    return scaled.mask.none() ? 0 : scaled.radiusPx;
  };
  for (const char* mask : {"blur", "sharpen"}) {
    EXPECT_EQ(radiusAt(mask, 4, 1.0f), 4) << mask;
    EXPECT_EQ(radiusAt(mask, 4, 0.7f), 3) << mask;
    EXPECT_EQ(radiusAt(mask, 31, 0.35f), 11) << mask;
    EXPECT_EQ(radiusAt(mask, 1, 0.35f), 0) << mask;
  }
  for (const char* mask : {"edges", "emboss", "file.json"}) {
    EXPECT_EQ(radiusAt(mask, 4, 1.0f), 4) << mask;
    EXPECT_EQ(radiusAt(mask, 4, 0.85f), 0) << mask;
  }
}

}  // namespace
}  // namespace satdof
