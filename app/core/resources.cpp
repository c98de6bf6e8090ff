#include "app/core/resources.h"

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace satdof {

void requireThreads(int threads) {
  std::mutex mutex;
  std::condition_variable end;
  bool ended = false;
  std::vector<std::jthread> started;
  std::string reason;
  try {
    for (int i = 0; i < threads; ++i)
      started.emplace_back([&] {
        std::unique_lock lock(mutex);
        end.wait(lock, [&] { return ended; });
      });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  }
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  end.notify_all();
  const auto count = started.size();
  started.clear();
  if (!reason.empty())
    throw std::runtime_error(
        "cannot start " + std::to_string(threads) + " threads: " + reason + " after " +
        std::to_string(count) +
        "; raise the limits of processes (ulimit -u, pids.max) and of memory (ulimit -v)");
}

}  // namespace satdof
