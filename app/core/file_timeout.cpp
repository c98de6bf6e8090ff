#include "app/core/file_timeout.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>

#include "app/core/file_names.h"
#include "app/core/foreign_text.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMost{2};
constexpr std::ptrdiff_t kMostFiles = 8;  // that are stored late: their bytes are in memory

struct Work {
  fs::path asked, file;
  bool writes = false, done = false, late = false;
  Clock::time_point wentOn = Clock::now();
  std::exception_ptr failure;
};

struct All {
  std::mutex mutex;
  std::condition_variable changed;
  std::list<std::shared_ptr<Work>> works;  // that go on, or whose end nobody has taken
  int lateCompletions = 0;
};

All& all() {
  static All& one = *new All;  // threads use it when the program ends
  return one;
}

thread_local int impatience = 0;
thread_local Work* current = nullptr;

std::ptrdiff_t storedLate(const All& all) {
  return std::ranges::count_if(all.works, [](const auto& work) { return work->writes && !work->done; });
}

// Whether an earlier work writes the same file: the last one wins.
bool isBehind(const std::shared_ptr<Work>& work) {
  const auto end = std::ranges::find(all().works, work);
  return std::any_of(all().works.begin(), end, [&](const auto& other) {
    return other->writes && !other->done && other->asked == work->asked;
  });
}

void run(const std::shared_ptr<Work>& work, std::function<fs::path()> act) {
  current = work.get();
  if (work->writes) {
    std::unique_lock lock(all().mutex);
    all().changed.wait(lock, [&] { return !isBehind(work); });
  }
  std::exception_ptr failure;
  fs::path written;
  try {
    written = act();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  act = nullptr;
  const std::scoped_lock lock(all().mutex);
  --unfinishedJobs;
  if (!written.empty()) work->file = written;
  work->failure = failure;
  work->done = true;
  if (work->late) ++all().lateCompletions;
  if (work->late && !work->writes) std::erase(all().works, work);
  all().changed.notify_all();
}

std::string reasonOf(const std::exception_ptr& failure) try {
  if (failure) std::rethrow_exception(failure);
  return {};
} catch (const std::exception& error) {
  return error.what();
}

// Lets another thread work, and waits for it at most kMost without progress. Null: not begun, since its folder keeps earlier work
// waiting.
std::shared_ptr<const Work> began(const fs::path& file, bool writes, std::function<fs::path()> act) {
  std::unique_lock lock(all().mutex);
  const auto isSilent = [&](const auto& other) {
    return !other->done && folderOf(other->file) == folderOf(file);
  };
  const bool silent = std::ranges::any_of(all().works, isSilent);
  if (silent && !writes) return nullptr;
  if (writes && storedLate(all()) >= kMostFiles)
    throw FileTimeout(failureText(
        "write", file,
        std::to_string(kMostFiles) + " files are still being written: their folder does not answer"));
  auto work = std::make_shared<Work>();
  work->asked = work->file = file;
  work->writes = writes;
  std::thread([work, act = std::move(act)]() mutable { run(work, std::move(act)); }).detach();
  ++unfinishedJobs;
  all().works.push_back(work);
  while (!work->done && !silent && Clock::now() < work->wentOn + kMost)
    all().changed.wait_until(lock, work->wentOn + kMost);
  work->late = !work->done;
  if (work->late) return work;
  std::erase(all().works, work);
  if (work->failure) std::rethrow_exception(work->failure);
  return work;
}

}  // namespace

FileTimeoutScope::FileTimeoutScope() { ++impatience; }
FileTimeoutScope::~FileTimeoutScope() { --impatience; }
bool hasFileTimeout() { return impatience > 0; }

void restartFileTimeout() {
  if (current == nullptr) return;
  const std::scoped_lock lock(all().mutex);
  current->wentOn = Clock::now();
}

bool finishesInTime(const fs::path& file, std::function<void()> work) {
  const auto apart = began(file, false, [work = std::move(work)] {
    work();
    return fs::path();
  });
  return apart && !apart->late;
}

std::optional<fs::path> writeWithTimeout(const fs::path& file, std::function<fs::path()> work) {
  if (!hasFileTimeout()) return work();
  const auto apart = began(file, true, std::move(work));
  return apart->late ? std::nullopt : std::optional(apart->file);
}

std::string fileTimeoutText(const fs::path& file) {
  return failureText("read", file, "its folder does not answer");
}

std::vector<LateWrite> takeLateWrites() {
  const std::scoped_lock lock(all().mutex);
  std::vector<LateWrite> found;
  std::erase_if(all().works, [&](const auto& work) {
    if (work->done) found.push_back({work->file, reasonOf(work->failure)});
    return work->done;
  });
  return found;
}

std::vector<fs::path> pendingWrites() {
  const std::scoped_lock lock(all().mutex);
  std::vector<fs::path> files;
  for (const auto& work : all().works)
    if (work->writes) files.push_back(work->file);
  return files;
}

std::string pendingWriteText(const fs::path& file) {
  return pathText(file) + " is still being written: its folder does not answer";
}

int lateCompletions() {
  const std::scoped_lock lock(all().mutex);
  return all().lateCompletions;
}

bool hasPendingFileWork() {
  const std::scoped_lock lock(all().mutex);
  return std::ranges::any_of(all().works, [](const auto& work) { return !work->done; });
}

}  // namespace satdof
