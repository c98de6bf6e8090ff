#include "cuda/lens/highlights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "tests/gpu/gpu_test.h"
#include "tests/gpu/picture.h"

namespace satdof::cuda {

namespace {

struct Pixel {
  float r, g, b, depth;
};

constexpr HighlightRule kRule{.alpha = -20.0f,
                              .beta = 9.0f,
                              .nearScale = 0.75f,
                              .farScale = 1.5f,
                              .threshold = 3.0f,
                              .minRadiusPx = 2.0f};

struct Picture {
  int width, height;
  std::vector<Pixel> pixels;
};

float luminance(const Pixel& p) { return 0.2126f * p.r + 0.7152f * p.g + 0.0722f * p.b; }
float radiusPx(const Pixel& p) {
  const float radius = kRule.alpha * p.depth + kRule.beta;
  return radius * (radius < 0 ? kRule.nearScale : kRule.farScale);
}

// Few distinct depths, so that the order of equal ones matters; channels exact in half precision. No pixel
// lies so near either limit that rounding decides.
Picture randomPicture(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  Picture picture{width, height, {}};
  for (int i = 0; i < width * height; ++i) {
    const auto channel = [&] { return static_cast<float>(random() % 800) / 128.0f; };
    Pixel pixel{channel(), channel(), channel(), static_cast<float>(random() % 37) / 36.0f};
    if (std::abs(luminance(pixel) - kRule.threshold) < 1e-3f ||
        std::abs(std::abs(radiusPx(pixel)) - kRule.minRadiusPx) < 1e-3f)
      pixel = {0, 0, 0, 0};
    picture.pixels.push_back(pixel);
  }
  return picture;
}

std::vector<HighlightSprite> referenceSprites(const Picture& picture, std::size_t capacity) {
  std::vector<HighlightSprite> sprites;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const Pixel& p = picture.pixels[static_cast<std::size_t>(y * picture.width + x)];
      const float radius = radiusPx(p);
      if (luminance(p) <= kRule.threshold || std::abs(radius) <= kRule.minRadiusPx ||
          sprites.size() == capacity)
        continue;
      const float part =
          (1 - kRule.threshold / luminance(p)) * std::min(std::abs(radius) / kRule.minRadiusPx - 1, 1.0f);
      sprites.push_back({static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, radius, p.depth,
                         p.r * part, p.g * part, p.b * part, part});
    }
  std::stable_sort(sprites.begin(), sprites.end(),
                   [](const HighlightSprite& a, const HighlightSprite& b) { return a.depth < b.depth; });
  return sprites;
}

using Variant = std::tuple<CompactionInfo, SortInfo>;

class HighlightCollectorTest : public GpuTest<testing::TestWithParam<Variant>> {
 protected:
  static void check(const Picture& picture, std::uint32_t capacity) {
    std::vector<Half4> colour;
    std::vector<float> depth;
    for (const Pixel& p : picture.pixels) {
      colour.push_back({{__float2half(p.r), __float2half(p.g), __float2half(p.b), __float2half(1.0f)}});
      depth.push_back(p.depth);
    }
    ArrayOf<Half4> colourArray(picture.width, picture.height, formatOf(PictureFormat::half4));
    ArrayOf<float> depthArray(picture.width, picture.height, cudaCreateChannelDesc<float>());
    colourArray.write(colour);
    depthArray.write(depth);
    const auto [compaction, sort] = GetParam();
    const auto collector =
        makeHighlightCollector({picture.width, picture.height, capacity, compaction.value, sort.value});
    EXPECT_TRUE(collector->stageTimes().empty());

    const std::vector<HighlightSprite> expected = referenceSprites(picture, capacity);
    ArrayOf<float4> sprites(kSpritesPerRow * kSpriteTexels, static_cast<int>(spriteRows(capacity)),
                            formatOf(ElementType::float32));
    ArrayOf<uint4> command(1, 1, formatOf(ElementType::uint32));
    for (int repeat = 0; repeat < 2; ++repeat) {
      sprites.poison();
      command.poison();
      collector->collect(colourArray.get(), depthArray.get(), kRule, sprites.get(), command.get(), nullptr);
      const uint4 draw = command.read()[0];
      ASSERT_EQ(draw.x, 4u);
      ASSERT_EQ(draw.y, expected.size());
      ASSERT_EQ(draw.z, 0u);
      ASSERT_EQ(draw.w, 0u);
      const std::vector<float4> texels = sprites.read();
      std::vector<HighlightSprite> got;
      for (std::size_t i = 0; i < texels.size(); i += kSpriteTexels) {
        const float4 &a = texels[i], &b = texels[i + 1];
        got.push_back({a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w});
      }
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(got[i].xPx, expected[i].xPx) << i;
        ASSERT_EQ(got[i].yPx, expected[i].yPx) << i;
        ASSERT_EQ(got[i].depth, expected[i].depth) << i;
        ASSERT_NEAR(got[i].radiusPx, expected[i].radiusPx, 1e-4f) << i;
        ASSERT_NEAR(got[i].part, expected[i].part, 1e-4f) << i;
        ASSERT_NEAR(got[i].r, expected[i].r, 1e-3f) << i;
        ASSERT_NEAR(got[i].g, expected[i].g, 1e-3f) << i;
        ASSERT_NEAR(got[i].b, expected[i].b, 1e-3f) << i;
      }
      for (std::size_t i = expected.size(); i < got.size(); ++i)
        ASSERT_TRUE(PoisonedArray<HighlightSprite>::isPoison(got[i])) << i;
    }
    const auto stages = collector->stageTimes();
    ASSERT_EQ(stages.size(), 4u);
    for (const StageTime& stage : stages) EXPECT_GE(stage.timeUs, 0.0f) << stage.name;
  }
};

TEST_P(HighlightCollectorTest, MatchesTheDefinition) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 67}, {65, 1}, {3, 5}, {17, 65}, {641, 479}}) {
    SCOPED_TRACE(testing::Message() << width << "x" << height);
    check(randomPicture(width, height, static_cast<unsigned>(width)), 1 << 18);
  }
}

TEST_P(HighlightCollectorTest, StopsAtTheCapacity) {
  for (const std::uint32_t capacity : {1u, 33u, 2049u}) {
    SCOPED_TRACE(testing::Message() << "capacity " << capacity);
    check(randomPicture(320, 200, 4), capacity);
  }
}

TEST_P(HighlightCollectorTest, FindsNoneInTheDark) {
  check({40, 30, std::vector<Pixel>(1200, Pixel{1.0f, 1.0f, 1.0f, 0.0f})}, 100);
}

TEST_P(HighlightCollectorTest, RefusesAnEmptyPicture) {
  EXPECT_THROW(makeHighlightCollector({.width = 0, .height = 4}), std::runtime_error);
  EXPECT_THROW(makeHighlightCollector({.width = 4, .height = 4, .capacity = 0}), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Variants, HighlightCollectorTest,
                         testing::Combine(testing::ValuesIn(kCompactions), testing::ValuesIn(kSorts)),
                         [](const auto& test) {
                           return testName(std::string(std::get<0>(test.param).name) + "_" +
                                           std::get<1>(test.param).name);
                         });

}  // namespace

}  // namespace satdof::cuda
