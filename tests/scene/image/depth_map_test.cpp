#include "app/scene/image/depth_map.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/packing.hpp>
#include <limits>
#include <random>
#include <type_traits>

#include "app/core/system/loading.h"

namespace satdof {
namespace {

using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Changes of the default settings: with(&ImageSettings::scale, 2.0f, &ImageSettings::inverted, true).
ImageSettings with() { return {}; }
template <class T, class Group, class... More>
ImageSettings with(T Group::*member, std::type_identity_t<T> value, More... more) {
  ImageSettings settings = with(more...);
  settings.*member = value;
  return settings;
}

DepthImage floats(std::vector<float> values) {
  const glm::ivec2 size(static_cast<int>(values.size()), 1);
  return {.size = size, .values = std::move(values)};
}

DepthImage integers(std::vector<float> values, float largest) {
  DepthImage image = floats(std::move(values));
  image.largest = largest;
  return image;
}

// Distances in metres; infinity at infinity.
std::vector<float> distances(const DepthMap& map) {
  std::vector<float> found;
  for (const float depth : map.depth) {
    EXPECT_TRUE(depth >= 0.0f && depth <= 1.0f) << depth;
    found.push_back(map.nearM / depth);
  }
  return found;
}

void expectDistances(const DepthMap& map, const std::vector<float>& expected) {
  const auto found = distances(map);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isinf(expected[i]))
      EXPECT_EQ(found[i], expected[i]) << i;
    else
      EXPECT_NEAR(found[i], expected[i], 1e-5f * expected[i]) << i;
  }
}

TEST(DepthMap, Metres) {
  ImageSettings settings = with(&ImageSettings::meaning, DepthMeaning::metres);
  expectDistances(depthMap(floats({0.5f, 2.0f, kInfinity}), settings), {0.5f, 2.0f, kInfinity});
  EXPECT_EQ(depthMap(floats({2.0f}), settings).meaning, "metres");
  settings.scale = 0.001f;
  expectDistances(depthMap(integers({500, 4000}, 65535), settings), {0.5f, 4.0f});
}

TEST(DepthMap, InverseMetres) {
  ImageSettings settings = with(&ImageSettings::meaning, DepthMeaning::inverseMetres);
  expectDistances(depthMap(floats({4.0f, 0.5f, 0.0f}), settings), {0.25f, 2.0f, kInfinity});
  settings.scale = 10.0f;
  expectDistances(depthMap(floats({0.4f, 0.05f}), settings), {0.25f, 2.0f});
}

// A reversed depth buffer, near / z, keeps its bits.
TEST(DepthMap, InverseMetresUpToOneKeepTheirBits) {
  std::vector<float> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(static_cast<float>(i) / 1000.0f);
  const DepthMap map = depthMap(
      floats(values), with(&ImageSettings::meaning, DepthMeaning::inverseMetres, &ImageSettings::scale, 10.0f));
  EXPECT_EQ(map.depth, values);
  EXPECT_EQ(map.nearM, 0.1f);
}

TEST(DepthMap, Disparity) {
  const ImageSettings settings = with(&ImageSettings::meaning, DepthMeaning::disparity, &ImageSettings::baselineMm,
                                      200.0f, &ImageSettings::focalLengthPx, 1000.0f, &ImageSettings::offsetPx, 20.0f);
  expectDistances(depthMap(floats({80.0f, 30.0f, -20.0f, -50.0f}), settings), {2.0f, 4.0f, kInfinity, kInfinity});
  // Without a focal length, the image width stands in for it.
  expectDistances(depthMap(floats({2.0f, 1.0f}),
                           with(&ImageSettings::meaning, DepthMeaning::disparity, &ImageSettings::baselineMm, 1000.0f)),
                  {1.0f, 2.0f});
}

TEST(DepthMap, DisparitiesThatAreTooWideAreScaledOrRelative) {
  ImageSettings settings = with(&ImageSettings::meaning, DepthMeaning::disparity, &ImageSettings::baselineMm, 1000.0f,
                                &ImageSettings::focalLengthPx, 8.0f);
  const auto expectReading = [&](const DepthImage& image, const char* meaning, const std::vector<float>& expected) {
    const DepthMap map = depthMap(image, settings);
    EXPECT_THAT(map.meaning, HasSubstr(meaning));
    EXPECT_THAT(map.notes, testing::Contains(HasSubstr("wider than its 2 pixels: taken for " + map.meaning)));
    expectDistances(map, expected);
  };
  EXPECT_THAT(depthMap(integers({8, 4}, 65535), settings).notes, testing::IsEmpty());
  expectReading(integers({2048, 1024}, 65535), "in parts of 1/256 px", {1.0f, 2.0f});
  const char* const kRelative = "relative: large numbers are near, 1 to 10 m";
  expectReading(integers({65535, 0}, 65535), kRelative, {1.0f, 10.0f});
  expectReading(integers({255, 0}, 255), kRelative, {1.0f, 10.0f});
  expectReading(floats({20.0f, 0.0f}), kRelative, {1.0f, 10.0f});
  EXPECT_EQ(meaningOf(floats({20.0f, 0.0f}), settings), DepthMeaning::relative);
}

TEST(DepthMap, DistancesAreAtLeastACentimetre) {
  const DepthMap map =
      depthMap(floats({1e-6f, 0.005f, 0.01f, 2.0f}), with(&ImageSettings::meaning, DepthMeaning::metres));
  expectDistances(map, {0.01f, 0.01f, 0.01f, 2.0f});
  EXPECT_THAT(map.notes, testing::ElementsAre("2 pixels nearer than 0.01 m: taken for 0.01 m away"));
}

TEST(DepthMap, TheDisparityOfTheFileWins) {
  DepthImage image = floats({80.0f, 30.0f});
  image.meaning = DepthMeaning::disparity;
  image.baselineMm = 200.0f, image.focalLengthPx = 1000.0f, image.offsetPx = 20.0f, image.origin = "calib.txt";
  const DepthMap map = depthMap(image, with(&ImageSettings::baselineMm, 1.0f, &ImageSettings::offsetPx, 5.0f));
  expectDistances(map, {2.0f, 4.0f});
  EXPECT_THAT(map.meaning, HasSubstr("says calib.txt"));
}

TEST(DepthMap, RelativeIsLinearInInverseDistance) {
  ImageSettings settings =
      with(&ImageSettings::meaning, DepthMeaning::relative, &ImageSettings::nearM, 1.0f, &ImageSettings::farM, 4.0f);
  expectDistances(depthMap(integers({0, 255, 85}, 255), settings), {4.0f, 1.0f, 2.0f});
  expectDistances(depthMap(floats({-3.0f, 6.0f, 0.0f}), settings), {4.0f, 1.0f, 2.0f});
  settings.inverted = true;
  expectDistances(depthMap(integers({255, 0, 170}, 255), settings), {4.0f, 1.0f, 2.0f});
  std::swap(settings.nearM, settings.farM);
  expectDistances(depthMap(integers({255, 0, 170}, 255), settings), {4.0f, 1.0f, 2.0f});
  expectDistances(depthMap(floats({7.0f, 7.0f}), settings), {1.0f, 1.0f});
}

TEST(DepthMap, AutomaticKnowsLengthsByTheirRange) {
  const auto expectMeaning = [](const DepthImage& image, const char* meaning) {
    const DepthMap map = depthMap(image, {});
    EXPECT_THAT(map.meaning, HasSubstr(meaning));
    EXPECT_THAT(map.notes, testing::Contains(HasSubstr(map.meaning + ": assumed")));
  };
  const char* const kRelative = "relative: large numbers are near, 1 to 10 m";
  expectMeaning(integers({1, 2}, 255), kRelative);
  expectMeaning(integers({0, 40, 30000, 65535, 64000}, 65535), kRelative);
  expectMeaning(integers({0, 8000, 30000, 65535, 64000}, 65535), kRelative);
  expectMeaning(integers({8000, 30000, 65535, 64000}, 65535), kRelative);
  expectMeaning(integers({40, 30000, 64000}, 65535), kRelative);
  EXPECT_THAT(depthMap(integers({40, 30000, 64000}, 65535), {}).notes, testing::Contains(HasSubstr(kMillimetresNote)));
  EXPECT_THAT(depthMap(integers({40, 200}, 255), {}).notes,
              testing::Not(testing::Contains(HasSubstr(kMillimetresNote))));
  expectMeaning(floats({0.001f, 0.5f, 0.999f}), kRelative);
  expectMeaning(floats({1, 2}), "metres");
  expectMeaning(floats({0.3f, 0.9f}), "metres");
  for (const DepthImage& image : {integers({500, 4000, 0, 500}, 65535), integers({500, 4000, 65535, 500}, 65535),
                                  integers({500, 64000, 0, 500}, 65535), integers({500, 4000, 4095, 500}, 4095),
                                  integers({2159, 30000, 65000, 2159}, 65535)})
    expectMeaning(image, "millimetres");
  // RGB-D: large numbers are far. 0 and 65535 are holes.
  expectDistances(depthMap(integers({500, 4000, 0, 65535}, 65535), {}), {0.5f, 4.0f, 4.0f, 4.0f});
  expectDistances(depthMap(integers({5000, 40000}, 65535), with(&ImageSettings::scale, 2e-4f)), {1.0f, 8.0f});
  EXPECT_THAT(depthMap(integers({500, 4000}, 65535), with(&ImageSettings::meaning, DepthMeaning::relative)).meaning,
              HasSubstr("relative"));
}

TEST(DepthMap, IntegersWithoutDepthAreHoles) {
  const ImageSettings metres = with(&ImageSettings::meaning, DepthMeaning::metres, &ImageSettings::scale, 0.001f);
  EXPECT_EQ(depthMap(integers({0, 2000, 65535}, 65535), metres).filled, 2);
  const ImageSettings disparity =
      with(&ImageSettings::meaning, DepthMeaning::disparity, &ImageSettings::focalLengthPx, 20.0f);
  const DepthMap map = depthMap(integers({10, 0, 20}, 255), disparity);
  EXPECT_EQ(map.filled, 1);
  EXPECT_EQ(map.depth[1], map.depth[0]);
  EXPECT_EQ(depthMap(integers({0, 65535}, 65535), with(&ImageSettings::meaning, DepthMeaning::relative)).filled, 0);
  EXPECT_EQ(depthMap(integers({0, 65535}, 65535), with(&ImageSettings::meaning, DepthMeaning::inverseMetres)).filled,
            0);
}

TEST(DepthMap, MetresMayLieAlongNegativeZ) {
  const ImageSettings metres = with(&ImageSettings::meaning, DepthMeaning::metres);
  const DepthMap map = depthMap(floats({-0.5f, -2.0f, -kInfinity, kInfinity}), metres);
  expectDistances(map, {0.5f, 2.0f, kInfinity, kInfinity});
  EXPECT_THAT(map.notes, testing::ElementsAre(HasSubstr("metres along -Z")));
  // -1 marks missing pixels, however many there are.
  expectDistances(depthMap(floats({-1.0f, 3.0f, -1.0f, -1.0f}), metres), {3.0f, 3.0f, 3.0f, 3.0f});
}

// R = K (1 - (d + offset) / (d_S + offset)) for a disparity d: ratios of radii need no metric scale.
TEST(DepthMap, RadiiOfADisparityDoNotDependOnItsScale) {
  const DepthImage image = floats({40.0f, 10.0f, 5.0f, 30.0f});
  ImageSettings a = with(&ImageSettings::meaning, DepthMeaning::disparity, &ImageSettings::baselineMm, 100.0f,
                         &ImageSettings::focalLengthPx, 900.0f, &ImageSettings::offsetPx, 3.0f);
  ImageSettings b = a;
  b.baselineMm = 750.0f;
  const auto da = depthMap(image, a), db = depthMap(image, b);
  for (std::size_t i = 0; i < 4; ++i) {
    const float expected = 1.0f - (image.values[i] + 3.0f) / (image.values[1] + 3.0f);
    for (const DepthMap& map : {da, db}) EXPECT_NEAR(1.0f - map.depth[i] / map.depth[1], expected, 1e-5f);
  }
}

TEST(DepthMap, InvalidPixelsTakeTheFartherNeighbour) {
  DepthImage image{.size = {5, 4}, .values = {kNan,  kNan, kNan, kNan, kNan,  //
                                              kNan,  2.0f, kNan, 5.0f, 0.0f,  //
                                              -1.0f, kNan, kNan, kNan, kNan,  //
                                              1.0f,  kNan, kNan, kNan, 3.0f}};
  const DepthMap map = depthMap(image, {});
  expectDistances(map, {1, 2, 5, 5, 3, 2, 2, 5, 5, 5, 1, 2, 5, 5, 3, 1, 3, 3, 5, 3});
  EXPECT_EQ(map.filled, 16);
  EXPECT_THAT(map.notes, testing::Contains(HasSubstr("16 pixels without valid depth")));
}

// In a far surface, some rows have a single valid pixel, which is near.
TEST(DepthMap, HolesAreFilledFromAllAround) {
  constexpr int kSide = 32;
  DepthImage image{.size = {kSide, kSide}, .values = std::vector<float>(kSide * kSide, 5.0f)};
  for (int y = 8; y < 24; ++y)
    for (int x = 0; x < kSide; ++x) image.values[static_cast<std::size_t>(y * kSide + x)] = x == 16 ? 1.0f : 0.0f;
  const DepthMap map = depthMap(image, with(&ImageSettings::meaning, DepthMeaning::metres));
  const auto found = distances(map);
  for (int y = 8; y < 24; ++y)
    for (int x = 0; x < kSide; ++x)
      ASSERT_NEAR(found[static_cast<std::size_t>(y * kSide + x)], x == 16 ? 1.0f : 5.0f, 1e-5f) << x << " " << y;
}

// As of a stereo camera: outlines without depth, as wide as 1/50 of the image; the sky of other files is wider.
TEST(DepthMap, ThinZerosOfAssumedRelativeDepthAreHoles) {
  constexpr int kWidth = 300, kRows = 3;
  const auto rows = [](int zeros, float least) {
    DepthImage image{.size = {kWidth, kRows}, .values = std::vector<float>(kWidth * kRows, 200.0f), .largest = 255};
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < 2 * zeros; ++x)
        image.values[static_cast<std::size_t>(y * kWidth + 100 + x)] = x < zeros ? 0.0f : least;
    return image;
  };
  const auto filled = [](const DepthImage& image, const ImageSettings& settings) {
    const DepthMap map = depthMap(image, settings);
    EXPECT_EQ(map.depth[100] == map.depth[110], map.filled > 0) << "as the farther neighbour";
    return map.filled;
  };
  EXPECT_EQ(filled(rows(6, 20.0f), {}), kRows * 6);
  EXPECT_EQ(filled(rows(7, 20.0f), {}), 0) << "wide";
  EXPECT_EQ(filled(rows(6, 9.0f), {}), 0) << "numbers near 0";
  EXPECT_EQ(filled(rows(6, 20.0f), with(&ImageSettings::meaning, DepthMeaning::relative)), 0);
  DepthImage frame = rows(6, 20.0f);
  frame.facts = factsOf(rows(7, 20.0f));
  EXPECT_EQ(filled(frame, {}), 0) << "as in the first frame";
}

// Two surfaces with noise, whose colours differ at the step of depth; `mixed`: share of the other surface in the pixels
// beside it.
TEST(DepthMap, TellsWhetherPixelsMixTwoSurfaces) {
  constexpr int kSide = 120, kEdge = 60;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> noise(-0.02f, 0.02f);
  ThreadPool threads(3);
  const auto unmixed = [&](float mixed, int depthEdge, bool along) {
    DepthMap map{{kSide, kSide}, {}, 1.0f, {}, 0};
    Picture picture{map.size, {}, true, {}};
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const int place = along ? y : x;
        const float near = place < kEdge ? (place == kEdge - 1 ? mixed : 0.0f) : (place == kEdge ? 1.0f - mixed : 1.0f);
        map.depth.push_back(place < depthEdge ? 0.3f : 0.8f);
        for (const float v : {0.1f + 0.3f * near, 0.2f, 0.2f + 0.1f * near, 1.0f})
          picture.rgba.push_back(glm::packHalf1x16(v + (v < 1.0f ? noise(random) : 0.0f)));
      }
    return edgesAreUnmixed(picture, map, threads);
  };
  for (const bool along : {false, true}) {
    EXPECT_TRUE(unmixed(0.0f, kEdge, along));
    EXPECT_FALSE(unmixed(0.2f, kEdge, along));
    EXPECT_FALSE(unmixed(0.0f, kEdge + 1, along));
    EXPECT_FALSE(unmixed(0.0f, kEdge - 1, along));
    EXPECT_FALSE(unmixed(0.0f, 0, along)) << "no edge";
  }
}

TEST(DepthMap, LevelsSpreadInverseDistances) {
  const DepthImage image = floats({1.0f, 0.8f, 0.5f, 0.2f, 0.1f});  // inverse metres
  ImageSettings settings = with(&ImageSettings::meaning, DepthMeaning::inverseMetres);
  const auto expectParts = [&](const std::vector<float>& parts) {
    const DepthMap map = depthMap(image, settings);
    EXPECT_EQ(map.nearM, 1.0f);
    EXPECT_THAT(map.depth, testing::Pointwise(testing::FloatNear(1e-5f), parts));
  };
  settings.levelFar = 0.2f, settings.levelNear = 0.8f;
  expectParts({1.0f, 1.0f, 0.5f, 0.0f, 0.0f});
  settings.levelGamma = 2.0f;
  expectParts({1.0f, 1.0f, std::sqrt(0.5f), 0.0f, 0.0f});
  settings = with(&ImageSettings::meaning, DepthMeaning::inverseMetres, &ImageSettings::skyBelow, 0.15f);
  expectParts({1.0f, 0.8f, 0.5f, 0.2f, 0.0f});
  settings.levelNear = settings.levelFar = 0.5f;  // no range
  expectParts({1.0f, 1.0f, 0.0f, 0.0f, 0.0f});
}

TEST(DepthMap, CountsAreOfTheDepthBeforeItsLevels) {
  const ImageSettings plain = with(&ImageSettings::meaning, DepthMeaning::inverseMetres);
  ImageSettings levels = plain;
  levels.levelFar = levels.skyBelow = 0.6f;
  const DepthImage image = floats({4.0f, 2.0f, 2.0f, 0.0f});
  const auto counts = depthMap(image, levels).counts;
  EXPECT_EQ(counts, depthMap(image, plain).counts);
  EXPECT_EQ(counts.size(), 64u);
  EXPECT_EQ(counts[0], 1u);
  EXPECT_EQ(counts[32], 2u);
  EXPECT_EQ(counts[63], 1u);
}

TEST(DepthMap, WithoutAValidPixelThereIsNoDepth) {
  EXPECT_THROW(depthMap(floats({kNan, 0.0f}), {}), std::runtime_error);
  EXPECT_THROW(depthMap(integers({0, 0}, 255), with(&ImageSettings::meaning, DepthMeaning::metres)),
               std::runtime_error);
}

// Two halves of different colour; `edge` is the first column of the right half.
Picture twoColours(glm::ivec2 size, int edge) {
  Picture picture{size, {}, true, {}};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      for (const float v : {x < edge ? 0.8f : 0.1f, x < edge ? 0.2f : 0.3f, 0.1f, 1.0f})
        picture.rgba.push_back(glm::packHalf1x16(v));
  return picture;
}

DepthMap twoDepths(glm::ivec2 size, int edge) {
  DepthMap map{size, {}, 1.0f, {}, 0};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) map.depth.push_back(x < edge ? 0.75f : 0.25f);
  return map;
}

TEST(DepthMap, SlopesOf8BitsHaveNoSteps) {
  constexpr int kWidth = 140, kHeight = 3, kEdge = 70, kOf = 7;
  const auto number = [](int x) { return static_cast<float>(x / kOf + (x < kEdge ? 0 : 100)); };
  DepthImage image{{kWidth, kHeight}, {}, 255.0f};
  for (int i = 0; i < kWidth * kHeight; ++i) image.values.push_back(number(i % kWidth));
  ImageSettings settings;
  settings.meaning = DepthMeaning::relative;
  const DepthMap map = depthMap(image, settings);
  const float level = (1 / settings.nearM - 1 / settings.farM) / 255.0f;
  const auto at = [&](int x) { return map.depth[static_cast<std::size_t>(kWidth + x)] / map.nearM; };
  for (int x = 1; x < kWidth; ++x) {
    EXPECT_LE(std::abs(at(x) - at(x - 1)), (x == kEdge ? 102 : 0.3f) * level) << x;
    EXPECT_NEAR(at(x), 1 / settings.farM + level * number(x), 0.51f * level) << x;
  }
}

TEST(DepthMap, HolesOf8BitsStayHoles) {
  ImageSettings settings;
  settings.meaning = DepthMeaning::disparity;
  settings.focalLengthPx = 200.0f;
  const DepthMap map = depthMap(integers({1, 0, 1, 2, 0, 0, 2, 200}, 255), settings);
  EXPECT_EQ(map.filled, 3);
  EXPECT_NEAR(map.depth[7] / map.depth[0], 200.0f / 1.33f, 2.0f);
}

TEST(AlignedTo, EdgesOfDepthMoveToEdgesOfTheImage) {
  ThreadPool threads(2);
  for (const int off : {-3, -1, 0, 2, 3}) {
    const glm::ivec2 size{41, 23};
    const auto aligned =
        alignedTo(twoColours(size, 20), twoDepths(size, 20 + off), with(&ImageSettings::edgeRadiusPx, 8), threads);
    EXPECT_EQ(aligned.depth, twoDepths(size, 20).depth) << off;
  }
}

// Hair, half of it before a background of its own colour.
TEST(AlignedTo, ExactEdgesStay) {
  ThreadPool threads(2);
  constexpr int kWidth = 160, kHeight = 120, kHairs = 12;
  std::mt19937 random(3);
  DepthMap exact{{kWidth, kHeight}, std::vector<float>(std::size_t{kWidth} * kHeight, 0.25f), 1.0f, {}, 0};
  for (int hair = 0; hair < kHairs; ++hair) {
    auto x = static_cast<int>(random() % kWidth);
    const bool level = hair % 2 == 0;
    for (int y = 0; y < kHeight; ++y) {
      x = std::clamp(x + static_cast<int>(random() % 3) - 1, 0, kWidth - 1);
      const glm::ivec2 at = level ? glm::ivec2(y, x % kHeight) : glm::ivec2(x, y);
      exact.depth[static_cast<std::size_t>(at.y * kWidth + at.x)] = 0.75f;
    }
  }
  Picture picture{exact.size, {}, true, {}};
  for (std::size_t i = 0; i < exact.depth.size(); ++i) {
    const bool dark = exact.depth[i] == 0.75f || i % kWidth > kWidth / 2;
    const float noise = 0.002f * static_cast<float>(random() % 10);
    for (const float v : {dark ? 0.05f : 0.6f, dark ? 0.03f : 0.5f, 0.04f, 1.0f})
      picture.rgba.push_back(glm::packHalf1x16(v + noise));
  }
  EXPECT_EQ(alignedTo(picture, exact, {}, threads).depth, exact.depth);

  DepthMap off = exact;
  std::rotate(off.depth.begin(), off.depth.end() - 1, off.depth.end());
  const auto wrong = [&](const std::vector<float>& depth) {
    int pixels = 0;
    for (std::size_t i = 0; i < depth.size(); ++i)
      if (i % kWidth < kWidth / 2) pixels += depth[i] != exact.depth[i];
    return pixels;
  };
  EXPECT_LT(wrong(alignedTo(picture, off, {}, threads).depth), 3 * wrong(off.depth) / 4) << "a pixel off";
}

// An enlarged depth map has depths between two surfaces, where outlines of the image have colours of their own.
TEST(AlignedTo, EdgesThatAreRampsGetNoDepthsBetween) {
  ThreadPool threads(2);
  for (const int length : {2, 4, 6})
    for (const bool columns : {true, false}) {
      const glm::ivec2 size{40, 40};
      Picture picture = twoColours(size, columns ? 20 : size.x);
      DepthMap map = twoDepths(size, 20);
      for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) {
          const int along = (columns ? x : y) - 20 + length / 2;
          const auto pixel = static_cast<std::size_t>(y * size.x + x);
          const float part = (static_cast<float>(along) + 0.5f) / static_cast<float>(length);
          map.depth[pixel] = 0.75f - 0.5f * std::clamp(part, 0.0f, 1.0f);
          for (std::size_t channel = 0; along >= 0 && along < length && channel < 3; ++channel)
            picture.rgba[4 * pixel + channel] = glm::packHalf1x16(0.01f * static_cast<float>(along));
        }
      const auto aligned = alignedTo(picture, map, {}, threads);
      for (const float depth : aligned.depth)
        ASSERT_TRUE(depth == 0.25f || depth == 0.75f) << depth << ", a ramp of " << length;
    }
}

TEST(AlignedTo, AFloorUpToTheHorizonIsNoEdge) {
  ThreadPool threads(2);
  const glm::ivec2 size{24, 60};
  DepthMap floor{size, {}, 1.0f, {}, 0};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) floor.depth.push_back(0.01f * static_cast<float>(std::max(y - 6, 0)));
  const auto aligned = alignedTo(twoColours(size, size.x), floor, {}, threads);
  for (int y = 0; y < size.y - 5; ++y)
    EXPECT_NEAR(aligned.depth[static_cast<std::size_t>(y * size.x + 12)],
                floor.depth[static_cast<std::size_t>(y * size.x)], 0.011f)
        << y;
}

TEST(AlignedTo, ALargeDepthOfASmallImage) {
  ThreadPool threads(2);
  const auto aligned = alignedTo(twoColours({8, 4}, 4), twoDepths({4000, 2000}, 2000), {}, threads);
  for (int x = 0; x < 8; ++x)
    EXPECT_EQ(aligned.depth[static_cast<std::size_t>(x)], twoDepths({8, 4}, 4).depth[static_cast<std::size_t>(x)]) << x;
}

TEST(AlignedTo, CanBeCancelled) {
  ThreadPool threads(2);
  std::stop_source stop;
  LoadProgress progress(stop.get_token());
  float most = 0.0f;
  const auto told = [&](float part) {
    progress.report(part, "");
    most = std::max(most, part);
  };
  ThreadPool alone(1);
  alignedTo(twoColours({41, 20}, 20), twoDepths({8, 5}, 4), {}, alone, told);
  EXPECT_EQ(most, 0.95f);
  stop.request_stop();
  EXPECT_THROW(alignedTo(twoColours({41, 23}, 20), twoDepths({8, 5}, 4), {}, threads, told), LoadCancelled);
}

TEST(AlignedTo, UpsamplesAlongEdges) {
  ThreadPool threads(2);
  const glm::ivec2 size{64, 36};
  const auto aligned = alignedTo(twoColours(size, 30), twoDepths({8, 5}, 4), {}, threads);
  EXPECT_EQ(aligned.size, size);
  EXPECT_EQ(aligned.depth, twoDepths(size, 30).depth);
}

TEST(AlignedTo, SlopesAreInterpolated) {
  ThreadPool threads(2);
  for (const float step : {0.0005f, 0.01f})
    for (const int radius : {0, 2, 8}) {
      DepthMap slope{{100, 1}, {}, 1.0f, {}, 0};
      for (int x = 0; x < 100; ++x) slope.depth.push_back(0.5f + step * static_cast<float>(x));
      const auto aligned =
          alignedTo(twoColours({400, 2}, 400), slope, with(&ImageSettings::edgeRadiusPx, radius), threads);
      for (int x = 10; x < 390; ++x)
        EXPECT_NEAR(aligned.depth[static_cast<std::size_t>(x)],
                    0.5f + step * ((static_cast<float>(x) + 0.5f) / 4 - 0.5f), 0.02f * step)
            << x << " of step " << step << ", radius " << radius;
    }
}

TEST(AlignedTo, OffKeepsTheDepthOfEqualSize) {
  ThreadPool threads(2);
  const glm::ivec2 size{33, 9};
  const auto map = twoDepths(size, 7);
  EXPECT_EQ(alignedTo(twoColours(size, 20), map, with(&ImageSettings::edgeRadiusPx, 0), threads).depth, map.depth);
}

TEST(AlignedTo, AnySizes) {
  ThreadPool threads(2);
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(1, 31), glm::ivec2(33, 1), glm::ivec2(17, 13)})
    for (const glm::ivec2 of : {glm::ivec2(1, 1), glm::ivec2(5, 3), glm::ivec2(64, 40)}) {
      const auto aligned = alignedTo(twoColours(size, size.x / 2), twoDepths(of, of.x / 2), {}, threads);
      EXPECT_EQ(aligned.size, size);
      for (const float depth : aligned.depth) ASSERT_TRUE(depth == 0.25f || depth == 0.75f) << depth;
    }
}

}  // namespace
}  // namespace satdof
