#include "app/core/resources.h"

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace satdof {

void requireThreads(int threads) {
  std::mutex mutex;
  std::condition_variable_any end;
  std::vector<std::jthread> started;
  try {
    for (int i = 0; i < threads; ++i)
      started.emplace_back([&](const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        end.wait(lock, stop, [] { return false; });
      });
  } catch (const std::system_error& error) {
    throw std::runtime_error(
        "cannot start " + std::to_string(threads) + " threads: " + error.code().message() + " after " +
        std::to_string(started.size()) +
        "; raise the limits of processes (ulimit -u, pids.max) and of memory (ulimit -v)");
  }
}

}  // namespace satdof
