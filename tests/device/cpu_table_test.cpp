#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <glm/gtc/packing.hpp>

#include "app/device/cpu/cpu_table.h"
#include "shaders/sat/quantisation.h"
#include "tests/device/tables.h"

namespace satdof {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr uint32_t kPoison = 0xdeadbeef;

std::vector<uint32_t> sequential(glm::ivec2 size, decltype(CpuImage::texels) texels, const ElementRule& rule) {
  std::vector<uint32_t> table(elementCount(size), kPoison);
  sumTable({texels, size}, rule, table.data());
  return table;
}

TEST(FixedPoint, RoundsHalfToEvenAndClamps) {
  EXPECT_EQ(glsl::quantise(0.0f, 256, 4), 0u);
  EXPECT_EQ(glsl::quantise(-3.0f, 256, 4), 0u);
  EXPECT_EQ(glsl::quantise(0.5f / 256, 256, 4), 0u);
  EXPECT_EQ(glsl::quantise(0.501f / 256, 256, 4), 1u);
  EXPECT_EQ(glsl::quantise(1.5f / 256, 256, 4), 2u);
  EXPECT_EQ(glsl::quantise(2.5f / 256, 256, 4), 2u);
  EXPECT_EQ(glsl::quantise(1.0f, 256, 4), 256u);
  EXPECT_EQ(glsl::quantise(4.0f, 256, 4), 1024u);
  EXPECT_EQ(glsl::quantise(65504.0f, 256, 4), 1024u);
  EXPECT_EQ(glsl::quantise(INFINITY, 0x1p21f, 4), 1u << 23);
}

TEST(SequentialTable, HandWrittenFixedPoint) {
  // Channels: a counter, ones, a checkerboard, words whose sum wraps.
  const std::vector<uint32_t> words = {1, 1, 0, 0x80000000, 2, 1, 1, 0x80000000, 3, 1, 0, 5,
                                       4, 1, 1, 7,          5, 1, 0, 0xffffffff, 6, 1, 1, 1};
  EXPECT_THAT(sequential({3, 2}, words.data(), {}), ElementsAre(1, 1, 0, 0x80000000, 3, 2, 1, 0, 6, 3, 1, 5,  //
                                                                5, 2, 1, 0x80000007, 12, 4, 2, 6, 21, 6, 3, 12));
}

TEST(SequentialTable, HandWrittenHalves) {
  const auto h = [](float v) { return glm::packHalf1x16(v); };
  const std::vector<uint16_t> halves = {h(0.25f), h(-1), h(9), h(1), h(0.5f), h(2), h(1), h(0.375f)};
  EXPECT_THAT(sequential({2, 1}, halves.data(), {TableFormat::uint32, {4, 2}}), ElementsAre(1, 0, 8, 4, 3, 8, 12, 6));
  EXPECT_THAT(sequential({1, 2}, halves.data(), {TableFormat::uint32, {4, 2}}), ElementsAre(1, 0, 8, 4, 3, 8, 12, 6));
  const auto bits = [](float v) { return std::bit_cast<uint32_t>(v); };
  EXPECT_THAT(sequential({2, 1}, halves.data(), {TableFormat::float32}),
              ElementsAre(bits(0.25f), bits(-1), bits(9), bits(1), bits(0.75f), bits(1), bits(10), bits(1.375f)));
  EXPECT_THAT(sequential({2, 1}, halves.data(), {TableFormat::float32Mean, {1, 1, {0.25f, 0, 1, 2}}}),
              ElementsAre(bits(0), bits(-1), bits(8), bits(-1), bits(0.25f), bits(1), bits(8), bits(-2.625f)));
}

TEST(SequentialTable, EqualsBruteForceSumsOfBoxes) {
  const glm::ivec2 size{13, 9};
  const auto words = randomWords(size, 7);
  const auto table = sequential(size, words.data(), {});
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      for (std::size_t c = 0; c < kChannels; ++c) {
        uint64_t sum = 0;
        for (int v = 0; v <= y; ++v)
          for (int u = 0; u <= x; ++u) sum += words[static_cast<std::size_t>(v * size.x + u) * kChannels + c];
        ASSERT_EQ(table[static_cast<std::size_t>(y * size.x + x) * kChannels + c], static_cast<uint32_t>(sum));
      }
}

TEST(SequentialTable, EqualsReference) {
  const glm::ivec2 size{257, 65};
  const auto halves = randomHalves(size, 4, 3);
  expectExact(size, sequential(size, halves.data(), {TableFormat::uint32, {0x1p21f, 4}}),
              fixedElements(halves, 0x1p21, 4));
  expectWithinBound(size, sequential(size, halves.data(), {TableFormat::float32}), realElements(halves, glm::vec4(0)));
}

class ThreadedTable : public testing::TestWithParam<std::tuple<int, CpuTableBuilder::Instructions>> {};

TEST_P(ThreadedTable, EqualsSequential) {
  const auto [threads, instructions] = GetParam();
  CpuTableBuilder builder(threads, instructions);
  for (const glm::ivec2 size : {glm::ivec2{1, 1}, {1, 257}, {257, 1}, {3, 5}, {17, 65}, {255, 257}, {64, 33}}) {
    builder.resize(size);
    const auto halves = randomHalves(size, 2, 11);
    const auto words = randomWords(size, 12);
    std::vector<uint32_t> table(elementCount(size) + kChannels, kPoison);

    const ElementRule fixed{TableFormat::uint32, {0x1p20f, 2}};
    builder.build({halves.data(), size}, fixed, table.data());
    auto expected = sequential(size, halves.data(), fixed);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), table.begin())) << size.x << "x" << size.y;

    std::vector<float> floats;
    for (const uint16_t half : halves) floats.push_back(glm::unpackHalf1x16(half));
    table.assign(table.size(), kPoison);
    builder.build({floats.data(), size}, fixed, table.data());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), table.begin())) << size.x << "x" << size.y;
    EXPECT_EQ(sequential(size, floats.data(), fixed), expected);

    builder.build({words.data(), size}, {}, table.data());
    expected = sequential(size, words.data(), {});
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), table.begin())) << size.x << "x" << size.y;
    for (std::size_t i = elementCount(size); i < table.size(); ++i) EXPECT_EQ(table[i], kPoison);

    const glm::vec4 mean(0.5f, 1, 1.5f, 0.75f);
    builder.build({halves.data(), size}, {TableFormat::float32Mean, {1, 1, mean}}, table.data());
    table.resize(elementCount(size));
    expectWithinBound(size, table, realElements(halves, mean));
    std::vector<uint32_t> ofFloats(table.size(), kPoison);
    builder.build({floats.data(), size}, {TableFormat::float32Mean, {1, 1, mean}}, ofFloats.data());
    EXPECT_EQ(ofFloats, table);
    CpuTableBuilder alone(1, instructions);
    alone.resize(size);
    expected.assign(elementCount(size), kPoison);
    alone.build({halves.data(), size}, {TableFormat::float32Mean, {1, 1, mean}}, expected.data());
    EXPECT_EQ(table, expected) << "the number of threads must not change a bit";
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadedTable,
                         testing::Combine(testing::Values(1, 2, 3, 8),
                                          testing::Values(CpuTableBuilder::Instructions::best,
                                                          CpuTableBuilder::Instructions::portable)));

// The largest error of a float table against a table in double precision, which is exact: elements are multiples of
// 2^-24, sums below 2^26. `bound`: the largest error as a fraction of its bound.
struct FloatError {
  double largest = 0, bound = 0;
};
FloatError floatError(glm::ivec2 size, const std::vector<uint16_t>& halves, const glm::vec4& mean,
                      const std::vector<uint32_t>& table) {
  const double factor = float32Bound(size);
  const std::size_t row = static_cast<std::size_t>(size.x) * kChannels;
  std::vector<double> columns(row), magnitudes(row);
  FloatError worst;
  for (std::size_t first = 0; first < table.size(); first += row) {
    double sum[kChannels] = {}, magnitude[kChannels] = {};
    for (std::size_t i = 0; i < row; ++i) {
      const std::size_t c = i % kChannels;
      const double v = static_cast<double>(glm::unpackHalf1x16(halves[first + i])) - mean[static_cast<int>(c)];
      columns[i] += v;
      magnitudes[i] += std::abs(v);
      sum[c] += columns[i];
      magnitude[c] += magnitudes[i];
      const double error = std::abs(std::bit_cast<float>(table[first + i]) - sum[c]);
      worst.largest = std::max(worst.largest, error);
      if (error > 0) worst.bound = std::max(worst.bound, error / (factor * magnitude[c]));
    }
  }
  return worst;
}

// The number of elements of a fixed-point table that differ from a 64-bit table modulo 2^32.
std::size_t wrongElements(glm::ivec2 size, const std::vector<uint16_t>& halves, const ElementRule& rule,
                          const std::vector<uint32_t>& table) {
  const std::size_t row = static_cast<std::size_t>(size.x) * kChannels;
  std::vector<uint64_t> columns(row);
  std::size_t wrong = 0;
  for (std::size_t first = 0; first < table.size(); first += row) {
    uint64_t sum[kChannels] = {};
    for (std::size_t i = 0; i < row; ++i) {
      const float v = std::min(glm::unpackHalf1x16(halves[first + i]), rule.quantisation.ceiling);
      columns[i] += static_cast<uint64_t>(std::nearbyint(v * rule.quantisation.scale));
      sum[i % kChannels] += columns[i];
      wrong += table[first + i] != static_cast<uint32_t>(sum[i % kChannels]);
    }
  }
  return wrong;
}

TEST(LargestError, IsZeroInFixedPointAndWithinTheBoundInFloats) {
  CpuTableBuilder builder(2);
  for (const glm::ivec2 size : {glm::ivec2{1920, 1080}, {3840, 2160}, {7680, 4320}}) {
    const std::string name = std::to_string(size.x) + "x" + std::to_string(size.y);
    SCOPED_TRACE(name);
    uint32_t random = 7;
    std::vector<uint16_t> halves(elementCount(size));  // from 0 to 1
    for (auto& half : halves) half = static_cast<uint16_t>((random = random * 1664525 + 1013904223) >> 16) % 0x3c01;
    std::vector<uint32_t> table(halves.size(), kPoison);
    builder.resize(size);

    const ElementRule fixed{TableFormat::uint32, {0x1p20f, 1}};
    builder.build({halves.data(), size}, fixed, table.data());
    EXPECT_EQ(wrongElements(size, halves, fixed, table), 0u);

    const auto floatTable = [&](TableFormat format, const glm::vec4& mean) {
      std::ranges::fill(table, kPoison);
      builder.build({halves.data(), size}, {format, {1, 1, mean}}, table.data());
      const FloatError error = floatError(size, halves, mean, table);
      EXPECT_LE(error.bound, 1);
      testing::Test::RecordProperty(std::string(satdof::name(format)) + "-" + name, std::to_string(error.largest));
      return error.largest;
    };
    const double plain = floatTable(TableFormat::float32, glm::vec4(0));
    // Halves of evenly distributed bits have a mean of 0.0902.
    EXPECT_LT(floatTable(TableFormat::float32Mean, glm::vec4(0x1.7p-4f)), plain / 4);
  }
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (const int count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      for (int repeat = 0; repeat < 20; ++repeat)
        pool.forEach(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& n) { return n == 20; }));
    }
  }
}

}  // namespace
}  // namespace satdof
