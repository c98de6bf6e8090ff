#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Reading and writing files that may never answer, as in a network folder whose server is gone.
namespace satdof {

// Background jobs that are not freed yet. The process ends without those that remain: their files do not answer.
inline std::atomic<int> unfinishedJobs{0};

// Thrown by readWithTimeout() when the thread waits no longer.
class FileTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While an object of this class lives, readWithTimeout() and writeWithTimeout() let another thread do the work, and this thread waits at
// most two seconds.
class FileTimeoutScope {
 public:
  FileTimeoutScope();
  ~FileTimeoutScope();
  FileTimeoutScope(const FileTimeoutScope&) = delete;
  FileTimeoutScope& operator=(const FileTimeoutScope&) = delete;
};
bool hasFileTimeout();

// The work of this thread goes on: those who wait for it begin again.
void restartFileTimeout();

// Lets another thread read `file`. Returns false if it does not end in time, and does not begin while earlier work in the same
// folder goes on. Throws what `work` throws.
bool finishesInTime(const std::filesystem::path& file, std::function<void()> work);
// "cannot read x.png: its folder does not answer"
std::string fileTimeoutText(const std::filesystem::path& file);

// Returns work(), which must own all that it uses. An impatient thread gets FileTimeout after the time, and at once while earlier work
// in the folder of `file` goes on.
template <class Work>
std::invoke_result_t<Work&> readWithTimeout(const std::filesystem::path& file, Work work) {
  if (!hasFileTimeout()) return work();
  const auto result = std::make_shared<std::optional<std::invoke_result_t<Work&>>>();
  if (!finishesInTime(file, [=]() mutable { result->emplace(work()); }))
    throw FileTimeout(fileTimeoutText(file));
  return std::move(**result);
}

// Returns work(), the name of the file that it wrote in the folder of `file`. work() must own all that it uses. An impatient thread
// gets nothing after the time: the work goes on, and takeLateWrites() returns the file once it is written. Throws FileTimeout while eight
// late files are being written.
std::optional<std::filesystem::path> writeWithTimeout(const std::filesystem::path& file,
                                                      std::function<std::filesystem::path()> work);

struct LateWrite {
  std::filesystem::path file;
  std::string failure;  // empty: it is written
};
// The late files of writeWithTimeout() that were written, or failed, since the last call.
std::vector<LateWrite> takeLateWrites();
// The late files that takeLateWrites() has not returned yet.
std::vector<std::filesystem::path> pendingWrites();
// "a.png is still being written: its folder does not answer"
std::string pendingWriteText(const std::filesystem::path& file);

// Counts answers that came too late: what failed with FileTimeout may be tried again.
int lateCompletions();
// Whether some have not come yet.
bool hasPendingFileWork();

}  // namespace satdof
