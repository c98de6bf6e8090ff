#include "app/run/system/crash.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "app/core/files/files.h"
#include "tests/support/files_fixture.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

[[noreturn]] void throwSecret() { throw std::range_error("/home/somebody/secret.png"); }
void throwInVain() noexcept { throwSecret(); }  // NOLINT(bugprone-exception-escape): the test needs it

int recurse(volatile int* deep) {
  volatile int room[1024];  // NOLINT(modernize-avoid-c-arrays): its elements are volatile
  room[*deep] = 1;
  return *deep < 0 ? 0 : recurse(deep) + room[*deep];
}

void readNothing() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): the test needs it
}

class CrashTest : public FilesTest {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer handles the signals";
#endif
  }
  // The report of a process that crashes by `signal`.
  template <class Crash>
  std::string report(int signal, const Crash& crash) {
    EXPECT_EXIT(
        {
          reportCrashes(state_);
          crash();
        },
        testing::KilledBySignal(signal), "report, without names and paths: .*/state/deep/crash-[0-9]+T.*txt");
    const auto found = crashReports(state_);
    return found.empty() ? "" : readWholeFile(state_ / found.back(), 1 << 16);
  }

  const fs::path state_ = folder_ / "state" / "deep";
};

TEST_F(CrashTest, ReportsABadAddress) {
  EXPECT_THAT(report(SIGSEGV, readNothing),
              AllOf(HasSubstr("(SIGSEGV), code 1, address 0x0\n"), HasSubstr("\nsatdof+0x"), Not(HasSubstr("thread")),
                    Not(HasSubstr("/"))));
}

TEST_F(CrashTest, ReportsASignalOfAnotherThread) {
  const auto crash = [] { std::thread(readNothing).join(); };
  EXPECT_THAT(report(SIGSEGV, crash), HasSubstr("(SIGSEGV), code 1, address 0x0, not on the main thread\n"));
}

TEST_F(CrashTest, ReportsAFullStack) {
  const auto crash = [] {
    const rlimit small{1 << 20, RLIM_INFINITY};
    setrlimit(RLIMIT_STACK, &small);
    volatile int deep = 0;
    recurse(&deep);
  };
  const std::string text = report(SIGSEGV, crash);
  EXPECT_THAT(text, HasSubstr("(SIGSEGV)"));
  EXPECT_GT(std::ranges::count(text, '+'), 50) << text;
}

TEST_F(CrashTest, ReportsTheTypeOfAnUncaughtException) {
  EXPECT_THAT(report(SIGABRT, throwInVain),
              AllOf(HasSubstr("(SIGABRT)\n"), HasSubstr("std::terminate, exception of type St11range_error\n"),
                    Not(HasSubstr("secret"))));
}

TEST_F(CrashTest, KeepsTheNewestReports) {
  fs::create_directories(state_);
  for (int i = 10; i < 40; ++i) writeWholeFile(state_ / ("crash-20200101T0000" + std::to_string(i) + "Z-1.txt"), "x");
  writeWholeFile(state_ / "another.txt", "x");
  EXPECT_THAT(report(SIGILL, [] { std::raise(SIGILL); }), HasSubstr("(SIGILL)\n"));
  const auto found = crashReports(state_);
  EXPECT_EQ(found.size(), 9u);
  EXPECT_EQ(found.front(), "crash-20200101T000032Z-1.txt");
  EXPECT_TRUE(fs::exists(state_ / "another.txt"));
}

TEST_F(CrashTest, AReportIsTheNewestAfterTheClockWasSetBack) {
  fs::create_directories(state_);
  for (const char* const name : {"crash-20250101T000000Z-1.txt", "crash-20990101T000000Z-1.txt"})
    writeWholeFile(state_ / name, "x");
  fs::last_write_time(state_ / "crash-20990101T000000Z-1.txt",
                      fs::file_time_type::clock::now() + std::chrono::years(50));
  EXPECT_EQ(crashReports(state_).back(), "crash-20250101T000000Z-1.txt");
}

TEST_F(CrashTest, LeavesTheHandlersOfOthers) {
  EXPECT_EXIT(
      {
        std::signal(SIGFPE, [](int) { std::_Exit(7); });
        reportCrashes(state_);
        std::raise(SIGFPE);
      },
      testing::ExitedWithCode(7), "^$");
  EXPECT_TRUE(crashReports(state_).empty());
}

TEST_F(CrashTest, AFolderThatCannotBeMadeIsReported) {
  EXPECT_EXIT(
      {
        reportCrashes(file("taken") / "state");
        std::raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "ended by SIGSEGV; no report could be written to .*/taken/state/crash-");
}

}  // namespace

}  // namespace satdof
