#include "app/filter/cpu_convolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <glm/vec2.hpp>
#include <type_traits>
#include <vector>

#include "tests/device/primitives_reference.h"

namespace satdof {
namespace {

constexpr glm::ivec2 kSizes[] = {{1, 1}, {1, 7}, {7, 1}, {31, 33}, {257, 129}, {4097, 1}};
constexpr glm::ivec2 kMasks[] = {{1, 1}, {3, 3}, {5, 3}, {9, 9}, {63, 1}, {1, 63}, {63, 63}};

// Compares the sequential and the threaded convolution with sums in int64_t or double.
template <class T>
void compareAll(int channels) {
  ThreadPool pool(3);
  for (const glm::ivec2 size : kSizes)
    for (const glm::ivec2 shape : kMasks) {
      const auto texels = static_cast<std::size_t>(size.x * size.y);
      const auto weights = static_cast<std::size_t>(shape.x * shape.y);
      if (texels * weights > 3'000'000) continue;
      SCOPED_TRACE(testing::Message() << size.x << "x" << size.y << " by " << shape.x << "x" << shape.y);
      const MaskPassOf<T> mask{shape.x, shape.y, test::randomElements<T>(weights, 1)};
      const auto in = test::randomElements<T>(texels * static_cast<std::size_t>(channels), 2);
      std::vector<T> plain(in.size(), T{77}), parallel(in.size(), T{77});
      convolveSequential({size.x, size.y}, channels, in.data(), plain.data(), mask);
      convolveParallel(pool, {size.x, size.y}, channels, in.data(), parallel.data(), mask);
      const auto expected = test::convolved(size.x, size.y, channels, in, mask);
      for (std::size_t i = 0; i < in.size(); ++i) {
        // n products and n sums, each rounded to 2^-24.
        const double bound = std::is_integral_v<T> ? 0.0 : 2.0 * double(weights) * 0x1p-24 * expected.magnitudes[i];
        ASSERT_NEAR(double(plain[i]), double(expected.sums[i]), bound) << i;
        ASSERT_NEAR(double(parallel[i]), double(expected.sums[i]), bound) << i;
      }
    }
}

TEST(CpuConvolve, IntegersAreExact) {
  compareAll<std::int32_t>(1);
  compareAll<std::int32_t>(3);
}

TEST(CpuConvolve, FloatsAreWithinTheirRounding) {
  compareAll<float>(1);
  compareAll<float>(4);
}

TEST(CpuConvolve, IntegersWrapModulo32Bits) {
  ThreadPool pool(2);
  const std::int32_t in[3] = {2000000000, 2000000000, -1};
  const MaskPassOf<std::int32_t> mask{3, 1, {3, 1, 1}};
  std::int32_t plain[3], parallel[3];
  convolveSequential<std::int32_t>({3, 1}, 1, in, plain, mask);
  convolveParallel<std::int32_t>(pool, {3, 1}, 1, in, parallel, mask);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t left = in[std::max(i - 1, 0)], right = in[std::min(i + 1, 2)];
    EXPECT_EQ(plain[i], static_cast<std::int32_t>(3 * left + in[i] + right));
    EXPECT_EQ(parallel[i], plain[i]);
  }
}

}  // namespace
}  // namespace satdof
