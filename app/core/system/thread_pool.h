#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace satdof {

// Returns the number of hardware threads, at least 1.
inline int hardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// A pool of worker threads. They sleep between calls, so that software OpenGL gets the cores.
class ThreadPool {
 public:
  // Starts `threads` - 1 workers: the caller of forEach() is the last one.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(0) ... task(count - 1) on all threads in any order. Returns after the last task. If a task throws, skips
  // the tasks that have not started and rethrows the first exception.
  void forEach(int count, const std::function<void(int)>& task);

 private:
  void work(std::stop_token stop);
  void drain(const std::function<void(int)>& task, int count) noexcept;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0;
  long generation_ = 0;
  int busy_ = 0;
  std::atomic<int> next_{0};
  std::exception_ptr failure_;  // the first exception of a task
  std::vector<std::jthread> workers_;
};

}  // namespace satdof
