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

// Reads and writes of files with a timeout: the folder of a lost network server never answers.
namespace satdof {

// Background jobs that are not freed yet. The process ends without waiting for them: their files do not answer.
inline std::atomic<int> unfinishedJobs{0};

// Thrown by readWithTimeout() and writeWithTimeout().
class FileTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While one lives, readWithTimeout() and writeWithTimeout() on this thread start the operation on another thread and
// wait at most two seconds for it. Without one, they run the operation on this thread.
class FileTimeoutScope {
 public:
  FileTimeoutScope();
  ~FileTimeoutScope();
  FileTimeoutScope(const FileTimeoutScope&) = delete;
  FileTimeoutScope& operator=(const FileTimeoutScope&) = delete;
};
// Whether this thread has a FileTimeoutScope.
bool hasFileTimeout();

// Call from an operation that makes progress: the waiting thread waits two more seconds.
void restartFileTimeout();

// Starts `read` on another thread. Returns whether it finished in time; false at once, without a start, while an
// earlier operation in the folder of `file` is unfinished. Throws what `read` throws.
bool finishesInTime(const std::filesystem::path& file, std::function<void()> read);
// "cannot read x.png: its folder does not answer"
std::string fileTimeoutText(const std::filesystem::path& file);

// Returns read(), which must own everything that it uses. Throws FileTimeout where finishesInTime() returns false.
template <class Read>
std::invoke_result_t<Read&> readWithTimeout(const std::filesystem::path& file, Read read) {
  if (!hasFileTimeout()) return read();
  const auto result = std::make_shared<std::optional<std::invoke_result_t<Read&>>>();
  if (!finishesInTime(file, [=]() mutable { result->emplace(read()); })) throw FileTimeout(fileTimeoutText(file));
  return std::move(**result);
}

// Returns write(), which writes a file in the folder of `file` and returns its path. Returns nothing if the write is
// late: it continues, and takeLateWrites() returns the path at its end. Throws FileTimeout while eight writes are
// unfinished.
std::optional<std::filesystem::path> writeWithTimeout(const std::filesystem::path& file,
                                                      std::function<std::filesystem::path()> write);

struct LateWrite {
  std::filesystem::path file;
  std::string failure;  // empty: the file is written
};
// The late writes that ended since the last call.
std::vector<LateWrite> takeLateWrites();
// The files of the late writes that takeLateWrites() has not returned yet.
std::vector<std::filesystem::path> pendingWrites();
// "a.png is still being written: its folder does not answer"
std::string pendingWriteText(const std::filesystem::path& file);

// The number of operations that ended after their timeout. When it rises, an operation that failed with FileTimeout may
// be tried again.
int lateCompletions();
// Whether an operation is unfinished.
bool hasPendingFileWork();

}  // namespace satdof
