#include "app/core/files/file_timeout.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>

#include "app/core/files/file_names.h"
#include "app/core/text/foreign_text.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeout{2};
constexpr std::ptrdiff_t kMaxPendingWrites = 8;  // each keeps its bytes in memory

struct Operation {
  fs::path requested, file;  // `file`: the path that was written, once it is known
  bool writes = false, done = false, late = false;
  Clock::time_point lastProgress = Clock::now();
  std::exception_ptr failure;
};

struct Registry {
  std::mutex mutex;
  std::condition_variable changed;
  std::list<std::shared_ptr<Operation>> operations;  // unfinished, or late writes that nobody has taken
  int lateCompletions = 0;
};

// Never destroyed: threads of late operations use the registry while the program ends.
Registry& registry() {
  static Registry& one = *new Registry;
  return one;
}

thread_local int timeoutScopes = 0;
thread_local Operation* currentOperation = nullptr;

std::ptrdiff_t unfinishedWrites() {
  return std::ranges::count_if(registry().operations, [](const auto& each) { return each->writes && !each->done; });
}

// Writes to one path run one after the other, so the last one wins.
bool hasEarlierWrite(const std::shared_ptr<Operation>& operation) {
  const auto end = std::ranges::find(registry().operations, operation);
  return std::any_of(registry().operations.begin(), end, [&](const auto& other) {
    return other->writes && !other->done && other->requested == operation->requested;
  });
}

void run(const std::shared_ptr<Operation>& operation, std::function<fs::path()> act) {
  currentOperation = operation.get();
  if (operation->writes) {
    std::unique_lock lock(registry().mutex);
    registry().changed.wait(lock, [&] { return !hasEarlierWrite(operation); });
  }
  std::exception_ptr failure;
  fs::path written;
  try {
    written = act();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  act = nullptr;
  const std::scoped_lock lock(registry().mutex);
  --unfinishedJobs;
  if (!written.empty()) operation->file = written;
  operation->failure = failure;
  operation->done = true;
  if (operation->late) ++registry().lateCompletions;
  if (operation->late && !operation->writes) std::erase(registry().operations, operation);
  registry().changed.notify_all();
}

std::string reasonOf(const std::exception_ptr& failure) try {
  if (failure) std::rethrow_exception(failure);
  return {};
} catch (const std::exception& error) {
  return error.what();
}

// Runs act() on another thread and waits for it until kTimeout passes without progress. Null: not started, because an
// earlier operation in the folder is unfinished; writes always start, but then nothing waits for them.
std::shared_ptr<const Operation> start(const fs::path& file, bool writes, std::function<fs::path()> act) {
  std::unique_lock lock(registry().mutex);
  const auto isSilent = [&](const auto& other) { return !other->done && folderOf(other->file) == folderOf(file); };
  const bool silent = std::ranges::any_of(registry().operations, isSilent);
  if (silent && !writes) return nullptr;
  if (writes && unfinishedWrites() >= kMaxPendingWrites)
    throw FileTimeout(failureText(
        "write", file,
        std::to_string(kMaxPendingWrites) + " files are still being written: their folder does not answer"));
  auto operation = std::make_shared<Operation>();
  operation->requested = operation->file = file;
  operation->writes = writes;
  std::thread([operation, act = std::move(act)]() mutable { run(operation, std::move(act)); }).detach();
  ++unfinishedJobs;
  registry().operations.push_back(operation);
  while (!operation->done && !silent && Clock::now() < operation->lastProgress + kTimeout)
    registry().changed.wait_until(lock, operation->lastProgress + kTimeout);
  operation->late = !operation->done;
  if (operation->late) return operation;
  std::erase(registry().operations, operation);
  if (operation->failure) std::rethrow_exception(operation->failure);
  return operation;
}

}  // namespace

FileTimeoutScope::FileTimeoutScope() { ++timeoutScopes; }
FileTimeoutScope::~FileTimeoutScope() { --timeoutScopes; }
bool hasFileTimeout() { return timeoutScopes > 0; }

void restartFileTimeout() {
  if (currentOperation == nullptr) return;
  const std::scoped_lock lock(registry().mutex);
  currentOperation->lastProgress = Clock::now();
}

bool finishesInTime(const fs::path& file, std::function<void()> read) {
  const auto operation = start(file, false, [read = std::move(read)] {
    read();
    return fs::path();
  });
  return operation && !operation->late;
}

std::optional<fs::path> writeWithTimeout(const fs::path& file, std::function<fs::path()> write) {
  if (!hasFileTimeout()) return write();
  const auto operation = start(file, true, std::move(write));
  return operation->late ? std::nullopt : std::optional(operation->file);
}

std::string fileTimeoutText(const fs::path& file) { return failureText("read", file, "its folder does not answer"); }

std::vector<LateWrite> takeLateWrites() {
  const std::scoped_lock lock(registry().mutex);
  std::vector<LateWrite> found;
  std::erase_if(registry().operations, [&](const auto& each) {
    if (each->done) found.push_back({each->file, reasonOf(each->failure)});
    return each->done;
  });
  return found;
}

std::vector<fs::path> pendingWrites() {
  const std::scoped_lock lock(registry().mutex);
  std::vector<fs::path> files;
  for (const auto& each : registry().operations)
    if (each->writes) files.push_back(each->file);
  return files;
}

std::string pendingWriteText(const fs::path& file) {
  return pathText(file) + " is still being written: its folder does not answer";
}

int lateCompletions() {
  const std::scoped_lock lock(registry().mutex);
  return registry().lateCompletions;
}

bool hasPendingFileWork() {
  const std::scoped_lock lock(registry().mutex);
  return std::ranges::any_of(registry().operations, [](const auto& each) { return !each->done; });
}

}  // namespace satdof
