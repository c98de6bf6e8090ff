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

// Files that may never answer, such as those of a network folder whose server is gone.
namespace satdof {

// Jobs that are not freed: at the end of the program, those whose files do not answer.
inline std::atomic<int> jobs{0};

// Thrown by answered() when the thread waits no longer.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While one lives, answered() and stored() let another thread do the work, and this thread waits at most two seconds.
class Impatient {
 public:
  Impatient();
  ~Impatient();
  Impatient(const Impatient&) = delete;
  Impatient& operator=(const Impatient&) = delete;
};
bool isImpatient();

// The work of this thread goes on: those who wait for it begin again.
void answerGoesOn();

// Lets another thread read `file`. Returns false if it does not end in time, and does not begin while earlier work in the same
// folder goes on. Throws what `work` throws.
bool readApart(const std::filesystem::path& file, std::function<void()> work);
// "cannot read x.png: its folder does not answer"
std::string noAnswerText(const std::filesystem::path& file);

// Returns work(), which must own all that it uses. An impatient thread gets NoAnswer after the time, and at once while earlier work
// in the folder of `file` goes on.
template <class Work>
std::invoke_result_t<Work&> answered(const std::filesystem::path& file, Work work) {
  if (!isImpatient()) return work();
  const auto result = std::make_shared<std::optional<std::invoke_result_t<Work&>>>();
  if (!readApart(file, [=]() mutable { result->emplace(work()); })) throw NoAnswer(noAnswerText(file));
  return std::move(**result);
}

// The same for work that writes `file` or one named after it, and returns its name. Returns nothing if it goes on: takeStored()
// tells of its end. Throws NoAnswer if eight files are being stored already.
std::optional<std::filesystem::path> stored(const std::filesystem::path& file,
                                            std::function<std::filesystem::path()> work);

struct LateFile {
  std::filesystem::path file;
  std::string failure;  // empty: it is written
};
// What stored() has left and what has ended since the last call.
std::vector<LateFile> takeStored();
// What stored() has left and what goes on.
std::vector<std::filesystem::path> filesBeingStored();
// "a.png is still being written: its folder does not answer"
std::string beingStoredText(const std::filesystem::path& file);

// Counts answers that came too late: what failed with NoAnswer may be tried again.
int lateAnswers();
// Whether some have not come yet.
bool awaitsAnswers();

}  // namespace satdof
