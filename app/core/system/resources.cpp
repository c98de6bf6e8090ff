#include "app/core/system/resources.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace satdof {

void requireMemory(double bytes) {
  constexpr double kMebibyte = 1048576.0;
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  const double free = std::min(freeMemoryBytes().value_or(kUnlimited), freeAddressSpaceBytes().value_or(kUnlimited));
  if (bytes <= free) return;
  throw std::runtime_error("it needs " + std::to_string(std::lround(std::ceil(bytes / kMebibyte))) +
                           " MiB of memory, and " + std::to_string(std::lround(std::floor(free / kMebibyte))) +
                           " MiB are free");
}

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
    throw std::runtime_error("cannot start " + std::to_string(threads) + " threads: " + error.code().message() +
                             " after " + std::to_string(started.size()) +
                             "; raise the limits of processes (ulimit -u, pids.max) and of memory (ulimit -v)");
  }
}

}  // namespace satdof
