#include "app/core/system/resources.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

// A folder in place of /, with the kernel's files in /proc and /sys.
class ResourcesTest : public testing::Test {
 protected:
  ResourcesTest() { write("proc/meminfo", "MemTotal:       16000 kB\nMemFree: 100 kB\nMemAvailable:    8000 kB\n"); }
  void write(const std::string& file, const std::string& text) const { temporary.write(file, text); }
  double freeKiB() const { return freeMemoryBytes(root).value_or(-1024.0) / 1024.0; }

  const test::TemporaryFolder temporary;
  const fs::path& root = temporary.path();
};

TEST_F(ResourcesTest, IsTheFreeMemoryOfTheSystem) {
  EXPECT_EQ(freeKiB(), 8000.0);
  write("proc/self/cgroup", "0::/user\n");
  write("sys/fs/cgroup/user/memory.max", "max\n");
  write("sys/fs/cgroup/user/memory.current", "4096\n");
  EXPECT_EQ(freeKiB(), 8000.0);
  fs::remove(root / "proc/meminfo");
  EXPECT_EQ(freeMemoryBytes(root), std::nullopt);
}

TEST_F(ResourcesTest, FreeMemoryIsLimitedByTheTightestGroup) {
  write("proc/self/cgroup", "0::/service/job\n");
  write("sys/fs/cgroup/service/memory.max", "4096000\n");
  write("sys/fs/cgroup/service/memory.current", "2048000\n");
  write("sys/fs/cgroup/service/memory.stat", "anon 7\ninactive_file 1024000\n");
  EXPECT_EQ(freeKiB(), 3000.0);
  write("sys/fs/cgroup/service/job/memory.max", "3072000\n");
  write("sys/fs/cgroup/service/job/memory.current", "1024000\n");
  EXPECT_EQ(freeKiB(), 2000.0);
  write("sys/fs/cgroup/service/job/memory.current", "9999999\n");
  EXPECT_EQ(freeKiB(), 0.0);
}

TEST_F(ResourcesTest, KnowsTheFirstVersionOfControlGroups) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/\n2:memory:/docker/1\n1:name=systemd:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2048000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1024000\n");
  EXPECT_EQ(freeKiB(), 1000.0);
}

double residentMiB() {
  double total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576.0;
}

#ifdef __GLIBC__
TEST_F(ResourcesTest, FreeMemoryIsReturnedFromBetweenBlocksInUse) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer has a heap of its own";
#endif
  constexpr std::size_t kBlockBytes = 64 << 10;  // of the heap
  constexpr int kBlocks = 2000;
  using Block = std::vector<char>;
  std::vector<Block> freed, used;
  for (int i = 0; i < kBlocks; ++i) {
    freed.emplace_back(kBlockBytes, 'x');
    used.emplace_back(64, 'x');
  }
  const double full = residentMiB();
  freed.clear();
  returnFreeMemory();
  EXPECT_LT(residentMiB(), full - 0.9 * kBlocks * kBlockBytes / 1048576.0);
}

#endif

TEST_F(ResourcesTest, KnowsThisMachine) {
  EXPECT_GT(freeMemoryBytes().value_or(0.0), 0.0);
  EXPECT_NO_THROW(requireThreads(3));
}

}  // namespace
}  // namespace satdof
