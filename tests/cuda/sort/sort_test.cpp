#include "cuda/sort/sorter.h"

#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "tests/cuda/gpu_test.h"
#include "tests/device/primitives_reference.h"

namespace satdof::cuda {

namespace {

using test::Words;

constexpr std::uint32_t kSizes[] = {0,    1,    2,    31,   32,   33,   255,   257,    1000,
                                    1025, 2047, 2048, 2049, 4097, 6145, 10201, 100003, (1 << 20) + 3};

Words randomKeys(std::size_t count, std::uint32_t distinct, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> pick(0, distinct - 1);
  const std::uint32_t scatter = 0xffffffffu / distinct;  // high and low bits both take part
  Words keys(count);
  for (auto& key : keys) key = ~(pick(random) * scatter);
  return keys;
}

using Variant = std::tuple<SortInfo, ScanInfo>;

// Every sort with the first scan; else, sorts that use scans with each other scan.
std::vector<Variant> variants(bool ofFirstScan) {
  std::vector<Variant> all;
  for (const SortInfo& sort : kSorts)
    for (const ScanInfo& scan : kScans)
      if ((scan.value == kScans.front().value) == ofFirstScan && (ofFirstScan || sort.usesScan))
        all.emplace_back(sort, scan);
  return all;
}

class SorterTest : public GpuTest<testing::TestWithParam<Variant>> {
 protected:
  static std::unique_ptr<Sorter> make(std::uint32_t size) {
    return makeSorter(std::get<0>(GetParam()).value, size, std::get<1>(GetParam()).value);
  }

  // Values are 5, 12, 19, ...: all different, so they show the order of equal keys. Runs keys alone, then
  // twice with values, each time over fresh poison.
  static void check(Sorter& sorter, const Words& keys) {
    Words values(keys.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(7 * i + 5);
    const test::Sorted expected = test::stableSorted(keys, values);
    const PoisonedArray<std::uint32_t> keysIn(keys), valuesIn(values);
    for (const int run : {0, 1, 2}) {
      const bool withValues = run > 0;
      SCOPED_TRACE(withValues ? "with values" : "keys alone");
      std::optional<Unchecked> repeats;
      if (run == 2) repeats.emplace();
      const PoisonedArray<std::uint32_t> keysOut(keys.size()), valuesOut(keys.size());
      sorter.run({keysIn.data(), withValues ? valuesIn.data() : nullptr},
                 {keysOut.data(), withValues ? valuesOut.data() : nullptr}, nullptr);
      EXPECT_TRUE(keysOut.read() == expected.keys) << "keys differ";
      EXPECT_TRUE(!withValues || valuesOut.read() == expected.values) << "values differ";
    }
    EXPECT_TRUE(keysIn.read() == keys && valuesIn.read() == values) << "the input changed";
  }
  void sortRandomKeysOfEverySize() const {
    for (const std::uint32_t size : affordable(kSizes)) {
      SCOPED_TRACE(testing::Message() << size << " records");
      check(*make(size), randomKeys(size, 0xffffffffu, size + 1));
    }
  }
};

// Sorts with further scans. Accesses are unchecked: the kernels of a sort are the same with every scan, and scans have
// tests.
class SorterOfScansTest : public SorterTest {
  Unchecked unchecked_;
};

TEST_P(SorterTest, SortsRandomKeysOfEverySize) { sortRandomKeysOfEverySize(); }
TEST_P(SorterOfScansTest, SortsRandomKeysOfEverySize) { sortRandomKeysOfEverySize(); }

TEST_P(SorterTest, KeepsTheOrderOfEqualKeys) {
  for (const std::uint32_t size : affordable(kSizes))
    for (const std::uint32_t distinct : {2u, 17u}) {
      SCOPED_TRACE(testing::Message() << size << " records, " << distinct << " distinct keys");
      check(*make(size), randomKeys(size, distinct, size + distinct));
    }
}

TEST_P(SorterTest, SortsEqualSortedAndReversedKeys) {
  for (const std::uint32_t size : affordable({1u, 2u, 33u, 2048u, 2049u, 10201u, 100003u})) {
    SCOPED_TRACE(testing::Message() << size << " records");
    const auto sorter = make(size);
    for (const std::uint32_t key : {0u, 0x80000001u, 0xffffffffu}) check(*sorter, Words(size, key));
    Words keys = randomKeys(size, 0xffffffffu, size);
    std::sort(keys.begin(), keys.end());
    check(*sorter, keys);
    std::reverse(keys.begin(), keys.end());
    check(*sorter, keys);
  }
}

// Runs of 2048 that end in every place of a merge, and runs that come from one side only.
TEST_P(SorterTest, MergesUnevenRuns) {
  for (const std::uint32_t size : affordable({4095u, 4096u, 5120u, 6144u, 8193u, 20481u}))
    for (const bool high : {false, true}) {
      SCOPED_TRACE(testing::Message() << size << " records, " << (high ? "descending" : "ascending") << " runs");
      Words keys(size);
      for (std::uint32_t i = 0; i < size; ++i)
        keys[i] = (high ? size - i : i) / 2048 * 100000 + (i * 2654435761u >> 20);
      check(*make(size), keys);
    }
}

TEST_P(SorterTest, KeepsPaddingLast) {
  if (!affordable(7000)) GTEST_SKIP() << "too large for SATDOF_TEST_ELEMENTS";
  Words keys = randomKeys(5000, 40, 9);
  for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = 0xffffffffu;
  keys.resize(7000, 0xffffffffu);
  check(*make(7000), keys);
}

TEST_P(SorterTest, OptionsThatDoNotFitThrow) {
  std::uint32_t word = 0;
  EXPECT_THROW(make(1)->run({&word, &word}, {&word, nullptr}, nullptr), std::runtime_error);
  EXPECT_THROW(make((1u << 30) + 1), std::runtime_error);
}

std::string nameOf(const testing::TestParamInfo<Variant>& test) {
  const auto& [sort, scan] = test.param;
  return testName(sort.usesScan ? std::string(sort.name).append("_").append(scan.name) : std::string(sort.name));
}

INSTANTIATE_TEST_SUITE_P(Variants, SorterTest, testing::ValuesIn(variants(true)), nameOf);
INSTANTIATE_TEST_SUITE_P(Variants, SorterOfScansTest, testing::ValuesIn(variants(false)), nameOf);

}  // namespace

}  // namespace satdof::cuda
