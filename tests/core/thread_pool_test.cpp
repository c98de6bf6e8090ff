#include "app/core/system/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

namespace satdof {
namespace {

constexpr int kCounts[] = {0, 1, 2, 31, 1000, 4097};

TEST(ThreadPoolTest, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int count : kCounts) {
      std::vector<int> runs(static_cast<std::size_t>(count));
      pool.forEach(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(runs, std::vector<int>(runs.size(), 1)) << threads << " threads, " << count << " tasks";
    }
  }
}

TEST(ThreadPoolTest, RethrowsExceptionsOfTasksAndGoesOn) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (int failing = 0; failing < 40; ++failing) {
      EXPECT_THROW(pool.forEach(40,
                                [&](int i) {
                                  if (i == failing) throw std::runtime_error("task");
                                }),
                   std::runtime_error);
      std::atomic<int> sum{0};
      pool.forEach(40, [&](int i) { sum += i; });
      EXPECT_EQ(sum, 780);
    }
  }
}

}  // namespace
}  // namespace satdof
