#include "cuda/compact/compactor.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/cuda/gpu_test.h"

namespace satdof::cuda {

namespace {

constexpr std::uint32_t kSizes[] = {0,     1,     2,      31,     32,      33,     127,  128,
                                    129,   255,   257,    1000,   1023,    1025,   2049, 10201,
                                    67584, 67585, 100003, 135169, 1000000, 1 << 20};

std::vector<std::uint32_t> randomFlags(std::size_t count, double density, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution flag(density);
  std::vector<std::uint32_t> flags(count);
  for (auto& f : flags) f = flag(random);
  return flags;
}

std::vector<std::uint32_t> referenceIndices(const std::vector<std::uint32_t>& flags) {
  std::vector<std::uint32_t> all(flags.size()), kept;
  std::iota(all.begin(), all.end(), 0u);
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept),
               [&](std::uint32_t i) { return flags[i] == 1; });
  return kept;
}

class CompactorTest : public GpuTest<testing::TestWithParam<CompactionInfo>> {
 protected:
  // Runs twice, the second time over fresh poison; `indices` has room for the flagged elements only.
  static void check(Compactor& compactor, const std::vector<std::uint32_t>& flags) {
    const std::vector<std::uint32_t> expected = referenceIndices(flags);
    const PoisonedArray<std::uint32_t> input(flags);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const PoisonedArray<std::uint32_t> indices(expected.size()), kept(1);
      compactor.run(input.data(), indices.data(), kept.data(), nullptr);
      EXPECT_EQ(kept.read()[0], expected.size());
      EXPECT_TRUE(indices.read() == expected) << "indices differ";
    }
    EXPECT_TRUE(input.read() == flags) << "the input changed";
  }
};

TEST_P(CompactorTest, KeepsTheFlaggedInOrder) {
  for (const std::uint32_t size : affordable(kSizes)) {
    const auto compactor = makeCompactor(GetParam().value, size);
    for (const double density : {0.001, 0.3, 0.97}) {
      SCOPED_TRACE(testing::Message() << size << " elements, density " << density);
      check(*compactor, randomFlags(size, density, size + 7));
    }
  }
}

TEST_P(CompactorTest, KeepsNoneAllOneOrAnUnevenPiece) {
  for (const std::uint32_t size : affordable({1u, 33u, 1025u, 100003u})) {
    SCOPED_TRACE(testing::Message() << size << " elements");
    const auto compactor = makeCompactor(GetParam().value, size);
    const std::vector<std::uint32_t> none(size, 0);
    check(*compactor, none);
    check(*compactor, std::vector<std::uint32_t>(size, 1));
    auto last = none;
    last.back() = 1;
    check(*compactor, last);
    auto firstHalf = none;
    std::fill_n(firstHalf.begin(), size / 2, 1u);
    check(*compactor, firstHalf);
  }
}

TEST_P(CompactorTest, LeavesTheRestOfTheOutputUnchanged) {
  const auto flags = randomFlags(5000, 0.2, 3);
  const auto expected = referenceIndices(flags);
  const PoisonedArray<std::uint32_t> input(flags), indices(flags.size()), kept(1);
  makeCompactor(GetParam().value, 5000)->run(input.data(), indices.data(), kept.data(), nullptr);
  const auto result = indices.read();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.begin()));
  EXPECT_TRUE(std::all_of(result.begin() + static_cast<std::ptrdiff_t>(expected.size()), result.end(),
                          PoisonedArray<std::uint32_t>::isPoison));
}

TEST_P(CompactorTest, OptionsThatDoNotFitThrow) {
  EXPECT_THROW(makeCompactor(GetParam().value, (1u << 30) + 1), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Variants, CompactorTest, testing::ValuesIn(kCompactions),
                         [](const auto& test) { return testName(test.param.name); });

}  // namespace

}  // namespace satdof::cuda
