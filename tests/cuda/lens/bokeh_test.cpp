#include "cuda/lens/bokeh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/device/bokeh_reference.h"

namespace satdof::cuda {

namespace {

// Radii of 12 in front of the focus plane to 67 behind it.
const BokehRule kRule{.lens = {.alpha = -61.0f, .beta = 45.0f, .nearScale = 0.75f, .farScale = 1.5f},
                      .threshold = 3.0f,
                      .minRadiusPx = 2.0f};

struct Image {
  int width, height;
  std::vector<HighlightPixel> pixels;
};

bool roundingDecides(const HighlightPixel& p) {
  const double radiusPx = std::abs(radiusPxOf(p, kRule)),
               sixteenths = 16 * radiusPx / std::exp2(std::floor(std::log2(radiusPx)));
  return std::abs(luminanceOf(p) - kRule.threshold) < 1e-3 || std::abs(radiusPx - kRule.minRadiusPx) < 1e-3 ||
         std::abs(sixteenths - std::round(sixteenths)) < 4e-3;
}

// Few distinct depths, so the order at equal depth matters; channels exact in half precision; patches of one
// depth, so cells are full, empty and in between.
Image randomImage(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto channel = [&] { return static_cast<float>(random() % 800) / 128.0f; };
      const unsigned patch = static_cast<unsigned>(x / 11 * 7 + y / 9 * 5) % 37;
      const unsigned depth = random() % 4 != 0 ? patch : random() % 37;
      HighlightPixel pixel{channel(), channel(), channel(), static_cast<float>(depth) / 36.0f};
      if (roundingDecides(pixel)) pixel = {0, 0, 0, 0};
      image.pixels.push_back(pixel);
    }
  return image;
}

using Variant = std::tuple<CompactionInfo, SortInfo, ScanInfo>;

// The first entry that uses a scan.
template <class Table>
auto scanned(const Table& table) {
  return *std::find_if(table.begin(), table.end(), [](const auto& entry) { return entry.usesScan; });
}

class BokehCollectorTest : public GpuTest<testing::TestWithParam<Variant>> {
 protected:
  static void check(const Image& image, std::uint32_t capacity) {
    std::vector<Half4> colour;
    std::vector<float> depth;
    for (const HighlightPixel& p : image.pixels) {
      colour.push_back({{__float2half(p.r), __float2half(p.g), __float2half(p.b), __float2half(1.0f)}});
      depth.push_back(p.depth);
    }
    ArrayOf<Half4> colourArray(image.width, image.height);
    ArrayOf<float> depthArray(image.width, image.height);
    ArrayOf<Half4> reduced(image.width, image.height);
    colourArray.write(colour);
    depthArray.write(depth);
    const auto [compaction, sort, scan] = GetParam();
    const auto collector =
        makeBokehCollector({image.width, image.height, capacity, compaction.value, sort.value, scan.value});
    EXPECT_TRUE(collector->stageTimes().empty());

    const std::vector<BokehSprite> expected = referenceSprites(image.pixels, image.width, kRule, capacity);
    ArrayOf<float4> sprites(kSpritesPerRow * kSpriteTexels, static_cast<int>(spriteRows(capacity)));
    ArrayOf<uint4> command(1, 1);
    for (int repeat = 0; repeat < 2; ++repeat) {
      sprites.poison();
      command.poison();
      collector->collect({colourArray.get(), depthArray.get(), sprites.get(), command.get(), reduced.get()}, kRule,
                         nullptr);
      const uint4 draw = command.read()[0];
      ASSERT_EQ(draw.x, kSpriteVertices);
      ASSERT_EQ(draw.y, expected.size());
      ASSERT_EQ(draw.z, 0u);
      ASSERT_EQ(draw.w, 0u);
      const std::vector<float4> texels = sprites.read();
      std::vector<BokehSprite> got;
      for (std::size_t i = 0; i < texels.size(); i += kSpriteTexels) {
        const float4 &a = texels[i], &b = texels[i + 1], &c = texels[i + 2];
        got.push_back({a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w});
      }
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_TRUE(sameSprite(expected[i], got[i])) << i;
      for (std::size_t i = expected.size(); i < got.size(); ++i)
        ASSERT_TRUE(PoisonedArray<BokehSprite>::isPoison(got[i])) << i;
    }
    // The image loses the light of the sprites, up to its rounding to halves.
    const auto left = reduced.read();
    double taken = 0, ofSprites = 0, rounding = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double before = __half2float(colour[i].c[1]);
      taken += before - __half2float(left[i].c[1]);
      rounding += before * 0x1p-11;
    }
    for (const BokehSprite& sprite : expected) ofSprites += sprite.g;
    EXPECT_NEAR(taken, ofSprites, rounding + 1e-5 * ofSprites);
    if (expected.empty()) {
      EXPECT_EQ(taken, 0);
    }
    const auto stages = collector->stageTimes();
    ASSERT_EQ(stages.size(), 5u);
    for (const StageTime& stage : stages) EXPECT_GE(stage.timeUs, 0.0f) << stage.name;
  }
};

TEST_P(BokehCollectorTest, MatchesTheDefinition) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 67}, {65, 1}, {3, 5}, {17, 65}, {641, 479}}) {
    const auto pixels = static_cast<std::uint32_t>(width * height);
    if (!affordable(pixels)) continue;
    SCOPED_TRACE(testing::Message() << width << "x" << height);
    check(randomImage(width, height, static_cast<unsigned>(width)), 2 * pixels);  // two kinds a pixel
  }
}

TEST_P(BokehCollectorTest, ReturnsNoneBeyondTheCapacity) {
  const bool large = affordable(320 * 200);
  for (const std::uint32_t capacity : {1u, 33u, large ? 2049u : 257u}) {
    SCOPED_TRACE(testing::Message() << "capacity " << capacity);
    check(large ? randomImage(320, 200, 4) : randomImage(120, 80, 4), capacity);
  }
}

TEST_P(BokehCollectorTest, FindsNoSpritesInADarkImage) {
  check({40, 30, std::vector<HighlightPixel>(1200, HighlightPixel{1.0f, 1.0f, 1.0f, 0.0f})}, 100);
}

TEST_P(BokehCollectorTest, AnEmptyImageThrows) {
  EXPECT_THROW(makeBokehCollector({.width = 0, .height = 4}), std::runtime_error);
  EXPECT_THROW(makeBokehCollector({.width = 4, .height = 4, .capacity = 0}), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Scans, BokehCollectorTest,
                         testing::Combine(testing::Values(scanned(kCompactions)), testing::Values(scanned(kSorts)),
                                          testing::ValuesIn(kScans)),
                         [](const auto& test) { return testName(std::get<2>(test.param).name); });

INSTANTIATE_TEST_SUITE_P(Variants, BokehCollectorTest,
                         testing::Combine(testing::ValuesIn(kCompactions), testing::ValuesIn(kSorts),
                                          testing::Values(kScans.front())),
                         [](const auto& test) {
                           return testName(std::string(std::get<0>(test.param).name) + "_" +
                                           std::get<1>(test.param).name);
                         });

}  // namespace

}  // namespace satdof::cuda
