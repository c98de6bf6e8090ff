#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "app/device/cpu/compact.h"
#include "app/device/cpu/scan.h"
#include "app/device/cpu/sort.h"
#include "tests/device/primitives_reference.h"

namespace satdof {

namespace {

using test::randomWords, test::Words;

constexpr std::size_t kSizes[] = {0, 1, 2, 31, 33, 1000, 4097, 8192, 12289, 100003, 1 << 18};
constexpr int kThreads[] = {1, 2, 3, 7};

TEST(CpuScan, EveryVariantSumsLikeTheStandardLibrary) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const CpuScanInfo& scan : kCpuScans)
      for (const std::size_t size : kSizes) {
        const Words in = randomWords(size, 0xffffffffu, static_cast<unsigned>(size));
        Words inclusive(size), exclusive(size), out(size, 7);
        std::inclusive_scan(in.begin(), in.end(), inclusive.begin());
        std::exclusive_scan(in.begin(), in.end(), exclusive.begin(), 0u);
        scan.uint32(pool, in, out, true);
        EXPECT_TRUE(out == inclusive) << scan.name << ", " << threads << " threads, " << size << " elements";
        scan.uint32(pool, in, out, false);
        EXPECT_TRUE(out == exclusive) << scan.name << ", " << threads << " threads, " << size << " elements";
        out = in;
        scan.uint32(pool, out, out, false);
        EXPECT_TRUE(out == exclusive) << scan.name << " in place, " << threads << " threads, " << size;
      }
  }
}

// Sums of n floats in any order are within n u / (1 - n u) sum |v| of the exact sum, u = 2^-24 (Higham 2002,
// 4.2).
TEST(CpuScan, EveryVariantSumsFloatsWithinTheBound) {
  ThreadPool pool(3);
  for (const CpuScanInfo& scan : kCpuScans)
    for (const std::size_t size : kSizes)
      for (const bool inclusive : {true, false}) {
        std::vector<float> in(size), out(size);
        std::mt19937 random(static_cast<unsigned>(size));
        for (float& value : in) value = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
        scan.float32(pool, in, out, inclusive);
        double sum = 0, magnitude = 0;
        for (std::size_t i = 0; i < size; ++i) {
          const double before = sum;
          sum += in[i];
          magnitude += std::abs(static_cast<double>(in[i]));
          const double nu = static_cast<double>(i + 1) * 0x1p-24;
          ASSERT_NEAR(out[i], inclusive ? sum : before, nu / (1 - nu) * magnitude)
              << scan.name << ", element " << i << " of " << size;
        }
      }
}

TEST(CpuCompaction, EveryVariantKeepsTheFlaggedInOrder) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const CpuCompactionInfo& compaction : kCpuCompactions)
      for (const std::size_t size : kSizes)
        for (const unsigned percent : {0u, 1u, 40u, 100u}) {
          Words flags = randomWords(size, 100, static_cast<unsigned>(size) + percent);
          for (auto& flag : flags) flag = flag < percent;
          Words expected = test::keptIndices(flags);
          constexpr std::uint32_t kPoison = 0xcdcdcdcd;
          Words indices(expected.size() + 5, kPoison);
          const std::uint32_t kept = compaction.run(pool, flags, indices);
          expected.resize(indices.size(), kPoison);
          EXPECT_EQ(kept + 5, expected.size());
          EXPECT_TRUE(indices == expected)
              << compaction.name << ", " << threads << " threads, " << size << ", " << percent << " percent";
        }
  }
}

// Values are all different, so they show the order of equal keys.
void expectSorts(ThreadPool& pool, const CpuSortInfo& sort, const Words& keys, CpuSortScratch& scratch) {
  SCOPED_TRACE(testing::Message() << sort.name << ", " << pool.threads() << " threads, " << keys.size());
  Words values(keys.size());
  std::iota(values.begin(), values.end(), 5u);
  const test::Sorted expected = test::stableSorted(keys, values);
  Words alone = keys, together = keys;
  sort.run(pool, alone, {}, scratch);
  EXPECT_TRUE(alone == expected.keys) << "keys alone differ";
  sort.run(pool, together, values, scratch);
  EXPECT_TRUE(together == expected.keys) << "keys differ";
  EXPECT_TRUE(values == expected.values) << "values differ";
}

TEST(CpuSort, EveryVariantSortsLikeTheStandardLibrary) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const CpuSortInfo& sort : kCpuSorts) {
      CpuSortScratch scratch;
      for (const std::size_t size : kSizes) {
        if (size > 100003 && threads > 2) continue;
        for (const std::uint32_t below : {0xffffffffu, 2u, 70000u})
          expectSorts(pool, sort, randomWords(size, below, static_cast<unsigned>(size) + below), scratch);
      }
    }
  }
}

TEST(CpuSort, EveryVariantSortsEqualSortedReversedAndPaddedKeys) {
  ThreadPool pool(2);
  for (const CpuSortInfo& sort : kCpuSorts) {
    CpuSortScratch scratch;
    expectSorts(pool, sort, {1, 0, 2}, scratch);  // as many digits below the first one as above it
    for (const std::size_t size : {1u, 33u, 10201u}) {
      for (const std::uint32_t key : {0u, 0x80000001u, 0xffffffffu}) expectSorts(pool, sort, Words(size, key), scratch);
      Words keys = randomWords(size, 0xffffffffu, 3);
      std::ranges::sort(keys);
      expectSorts(pool, sort, keys, scratch);
      std::ranges::reverse(keys);
      expectSorts(pool, sort, keys, scratch);
      for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = 0xffffffffu;
      expectSorts(pool, sort, keys, scratch);
      // One digit differs, so the number of moves is odd.
      for (auto& key : keys) key = key & 0xff00u;
      expectSorts(pool, sort, keys, scratch);
    }
  }
}

TEST(CpuSort, AnotherNumberOfValuesThrows) {
  ThreadPool pool(1);
  CpuSortScratch scratch;
  for (const CpuSortInfo& sort : kCpuSorts) {
    Words keys(4), values(3);
    EXPECT_THROW(sort.run(pool, keys, values, scratch), std::runtime_error);
  }
}

}  // namespace

}  // namespace satdof
