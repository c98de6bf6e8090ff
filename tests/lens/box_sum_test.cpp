#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "shaders/lens/box_mean.h"

namespace satdof::test {
namespace {

using glsl::ivec2, glsl::uvec4, glsl::vec4, glsl::boxSum, glsl::boxMean;

// A table in memory.
struct HostTable {
  ivec2 size;
  std::vector<uvec4> texels;
  int lookUps = 0;
};

struct HostSampler {
  using Element = uvec4;
  HostTable* table;
};

uvec4 texelFetch(HostSampler sampler, ivec2 texel, int) {
  HostTable& table = *sampler.table;
  ++table.lookUps;
  EXPECT_TRUE(texel.x >= 0 && texel.y >= 0 && texel.x < table.size.x && texel.y < table.size.y);
  return table.texels[std::size_t(texel.y) * std::size_t(table.size.x) + std::size_t(texel.x)];
}

class BoxSum : public testing::Test {
 protected:
  static constexpr ivec2 kSize{13, 9};
  std::mt19937 random{39};
  std::vector<unsigned> values;
  HostTable table;
  HostSampler sampler{&table};

  // With large elements the table wraps many times.
  void fill(bool transposed, unsigned largest) {
    table.size = transposed ? ivec2(kSize.y, kSize.x) : kSize;
    table.texels.resize(std::size_t(kSize.x * kSize.y));
    values.clear();
    for (int i = 0; i < kSize.x * kSize.y; ++i)
      values.push_back(std::uniform_int_distribution<unsigned>(0, largest)(random));
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        const ivec2 texel = transposed ? ivec2(y, x) : ivec2(x, y);
        table.texels[std::size_t(texel.y * table.size.x + texel.x)] = uvec4(unsigned(sum({0, 0}, {x + 1, y + 1})));
      }
  }
  uint64_t sum(ivec2 from, ivec2 to) const {
    uint64_t total = 0;
    for (int y = from.y; y < to.y; ++y)
      for (int x = from.x; x < to.x; ++x) total += values[std::size_t(y * kSize.x + x)];
    return total;
  }
};

TEST_F(BoxSum, IsExactForEveryBoxOfATableThatWraps) {
  for (const bool transposed : {false, true}) {
    fill(transposed, ~0u);
    for (int y0 = 0; y0 < kSize.y; ++y0)
      for (int x0 = 0; x0 < kSize.x; ++x0)
        for (int y1 = y0 + 1; y1 <= kSize.y; ++y1)
          for (int x1 = x0 + 1; x1 <= kSize.x; ++x1)
            ASSERT_EQ(boxSum(sampler, transposed, {x0, y0}, {x1, y1}).x, unsigned(sum({x0, y0}, {x1, y1})));
  }
}

TEST_F(BoxSum, MeanTakesEightLookUpsAndTendsToTheMeanOfTheImage) {
  fill(false, 1000);
  const double whole = double(sum({0, 0}, kSize)) / (kSize.x * kSize.y);
  for (const float halfWidth : {0.5f, 0.886f, 3.0f, 1e30f}) {
    table.lookUps = 0;
    const vec4 mean = boxMean(sampler, false, kSize, {4, 8}, halfWidth, 1.0f, 0.5f, vec4(7.0f));
    EXPECT_EQ(table.lookUps, 8);
    if (halfWidth > 20.0f) {
      EXPECT_NEAR(mean.y, 0.5 * whole + 7.0, 1e-3);
    }
  }
}

TEST_F(BoxSum, MeanOfAnOddBoxIsTheMeanOfItsPixels) {
  fill(true, 1000);
  for (int n = 0; n < 4; ++n) {
    const vec4 mean = boxMean(sampler, true, kSize, {6, 4}, float(n) + 0.5f, 1.0f, 1.0f, vec4(0.0f));
    const double expected = double(sum(ivec2(6, 4) - n, ivec2(7, 5) + n)) / ((2 * n + 1) * (2 * n + 1));
    EXPECT_NEAR(mean.z, expected, 1e-3) << n;
  }
}

// The mean is continuous where the inner box changes. Anamorphic boxes are wider by their ratio.
TEST_F(BoxSum, AnamorphicRatioWidensTheBox) {
  fill(false, 1000);
  for (const float anamorphicRatio : {0.25f, 0.5f, 1.7f, 4.0f})
    for (int n = 0; n < 4; ++n) {
      const auto mean = [&](float halfWidth) {
        return boxMean(sampler, false, kSize, {6, 4}, halfWidth, anamorphicRatio, 1.0f, vec4(0.0f)).y;
      };
      const int reach = int((float(n) + 0.5f) * anamorphicRatio);
      const ivec2 from = max(ivec2(6 - reach, 4 - n), 0), to = min(ivec2(7 + reach, 5 + n), kSize);
      const double expected = double(sum(from, to)) / ((to.x - from.x) * (to.y - from.y));
      EXPECT_NEAR(mean(float(n) + 0.5f), expected, 1e-3) << n << " times " << anamorphicRatio;
      if (n > 0) {
        EXPECT_NEAR(mean(float(n) + 0.4999f), expected, 0.5) << n << " times " << anamorphicRatio;
      }
    }
}

}  // namespace
}  // namespace satdof::test
