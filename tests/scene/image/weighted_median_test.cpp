#include "app/scene/image/weighted_median.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace satdof {
namespace {

using Taps = std::vector<std::pair<float, float>>;

float total(const Taps& taps) {
  float sum = 0.0f;
  for (const auto& tap : taps) sum += tap.second;
  return sum;
}

float bySorting(Taps taps, float total) {
  std::ranges::sort(taps);
  float sum = 0.0f;
  for (const auto& [value, weight] : taps)
    if (sum += weight; 2.0f * sum >= total) return value;
  return taps.back().first;
}

TEST(WeightedMedian, IsTheOneOfTheSortedSumsToTheLastBit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> part;
  const auto whole = [&](int most) { return static_cast<int>(part(random) * static_cast<float>(most)); };
  for (int run = 0; run < 20000; ++run) {
    Taps taps(static_cast<std::size_t>(1 + whole(81)));
    const int values = run % 3 == 0 ? 4 : 1 << 20, weights = run % 5 == 0 ? 1 : 1 << 20;
    for (auto& [value, weight] : taps) {
      value = static_cast<float>(whole(values)) / static_cast<float>(values);
      weight = run % 7 == 0 && whole(2) == 0 ? 1e-6f : 1.0f + static_cast<float>(whole(weights)) / 3e6f;
    }
    const float sum = total(taps);
    Taps copy = taps;
    ASSERT_EQ(weightedMedian(copy, sum), bySorting(taps, sum)) << run;
  }
}

TEST(WeightedMedian, OfOneValueIsIt) {
  Taps taps = {{0.5f, 1e-6f}};
  EXPECT_EQ(weightedMedian(taps, 1e-6f), 0.5f);
}

}  // namespace
}  // namespace satdof
