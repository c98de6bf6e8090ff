#include "cuda/compact/compactor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "tests/cuda/gpu_test.h"
#include "tests/device/primitives_reference.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

constexpr std::uint32_t kSizes[] = {0,     1,     2,      31,     32,      33,      127,          128,
                                    129,   255,   257,    1000,   1023,    1025,    2049,         10201,
                                    67584, 67585, 100003, 135169, 1000000, 1 << 20, (3 << 20) + 5};

std::vector<std::uint32_t> randomFlags(std::size_t count, double density, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution flag(density);
  std::vector<std::uint32_t> flags(count);
  for (auto& f : flags) f = flag(random);
  return flags;
}

using Variant = std::tuple<CompactionInfo, ScanInfo>;

// Every compaction with every scan that it uses.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const CompactionInfo& compaction : kCompactions)
    for (const ScanInfo& scan : kScans) {
      all.emplace_back(compaction, scan);
      if (!compaction.usesScan) break;
    }
  return all;
}

template <class T>
std::vector<T> elementsOf(const std::vector<std::uint32_t>& indices) {
  std::vector<T> elements(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::uint32_t words[sizeof(T) / 4];
    for (std::uint32_t w = 0; w < sizeof(T) / 4; ++w) words[w] = 2654435761u * (4 * indices[i] + w);
    std::memcpy(&elements[i], words, sizeof(T));
  }
  return elements;
}

class CompactorTest : public GpuTest<testing::TestWithParam<Variant>> {
 protected:
  // Only compactions with the first scan have their accesses checked: the kernels of a compaction are the same with
  // every scan, and scans have tests of their own.
  void SetUp() override {
    GpuTest::SetUp();
    if (std::get<1>(GetParam()).value != kScans.front().value) unchecked_.emplace();
  }
  static std::unique_ptr<Compactor> make(std::uint32_t size) {
    return makeCompactor(std::get<0>(GetParam()).value, size, std::get<1>(GetParam()).value);
  }

  // Runs twice, the second time over fresh poison; `indices` has room for the flagged elements only.
  static void check(Compactor& compactor, const std::vector<std::uint32_t>& flags) {
    const std::vector<std::uint32_t> expected = test::keptIndices(flags);
    const PoisonedArray<std::uint32_t> input(flags);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const PoisonedArray<std::uint32_t> indices(expected.size()), kept(1);
      compactor.run(input.data(), indices.data(), kept.data(), nullptr);
      EXPECT_EQ(kept.read()[0], expected.size());
      EXPECT_TRUE(indices.read() == expected) << "indices differ";
    }
    EXPECT_TRUE(input.read() == flags) << "the input changed";
  }

  template <class T>
  static void checkElements(Compactor& compactor, const std::vector<std::uint32_t>& flags) {
    SCOPED_TRACE(testing::Message() << "elements of " << sizeof(T) << " bytes");
    std::vector<std::uint32_t> all(flags.size());
    std::iota(all.begin(), all.end(), 0u);
    const std::vector<T> elements = elementsOf<T>(all), expected = elementsOf<T>(test::keptIndices(flags));
    const PoisonedArray<std::uint32_t> input(flags);
    const PoisonedArray<T> in(elements), out(expected.size());
    const PoisonedArray<std::uint32_t> kept(1);
    compactor.run(input.data(), Elements{in.data(), sizeof(T)}, out.data(), kept.data(), nullptr);
    EXPECT_EQ(kept.read()[0], expected.size());
    EXPECT_TRUE(test::sameBits(out.read(), expected)) << "elements differ";
    EXPECT_TRUE(test::sameBits(in.read(), elements)) << "the input changed";
  }

 private:
  std::optional<Unchecked> unchecked_;
};

TEST_P(CompactorTest, KeepsTheFlaggedInOrder) {
  for (const std::uint32_t size : affordable(kSizes)) {
    const auto compactor = make(size);
    for (const double density : {0.001, 0.3, 0.97}) {
      SCOPED_TRACE(testing::Message() << size << " elements, density " << density);
      check(*compactor, randomFlags(size, density, size + 7));
    }
  }
}

TEST_P(CompactorTest, KeepsNoneAllOneOrAnUnevenPiece) {
  for (const std::uint32_t size : affordable({1u, 33u, 1025u, 100003u})) {
    SCOPED_TRACE(testing::Message() << size << " elements");
    const auto compactor = make(size);
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
  const auto expected = test::keptIndices(flags);
  const PoisonedArray<std::uint32_t> input(flags), indices(flags.size()), kept(1);
  make(5000)->run(input.data(), indices.data(), kept.data(), nullptr);
  const auto result = indices.read();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.begin()));
  EXPECT_TRUE(std::all_of(result.begin() + static_cast<std::ptrdiff_t>(expected.size()), result.end(),
                          PoisonedArray<std::uint32_t>::isPoison));
}

TEST_P(CompactorTest, KeepsElementsOfEverySize) {
  for (const std::uint32_t size : affordable({0u, 1u, 33u, 1000u, 4097u, 67585u, 300007u}))
    for (const double density : {0.0, 0.01, 0.5, 0.97, 1.0}) {
      SCOPED_TRACE(testing::Message() << size << " elements, density " << density);
      const auto compactor = make(size);
      const auto flags = randomFlags(size, density, size + 11);
      checkElements<std::uint32_t>(*compactor, flags);
      checkElements<uint2>(*compactor, flags);
      checkElements<uint4>(*compactor, flags);
    }
}

TEST_P(CompactorTest, OptionsThatDoNotFitThrow) {
  const PoisonedArray<std::uint32_t> words(64);
  for (const unsigned bytes : {0u, 1u, 12u, 32u})
    EXPECT_THROW(
        make(4)->run(words.data(), Elements{words.data() + 8, bytes}, words.data() + 32, words.data() + 60, nullptr),
        std::runtime_error);
  EXPECT_THROW(make((1u << 30) + 1), std::runtime_error);
}

std::string nameOf(const testing::TestParamInfo<Variant>& test) {
  const auto& [compaction, scan] = test.param;
  return testName(compaction.usesScan ? std::string(compaction.name).append("_").append(scan.name)
                                      : std::string(compaction.name));
}

INSTANTIATE_TEST_SUITE_P(Variants, CompactorTest, testing::ValuesIn(variants()), nameOf);

}  // namespace

}  // namespace satdof::cuda
