#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace satdof {

// Of this machine, at least 1.
inline int hardwareThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// Threads that sleep between calls, so that a software OpenGL can have the cores.
class ThreadPool {
 public:
  // `threads` counts the caller of forEach(): one thread less is started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(0) ... task(count - 1) on all threads, in no order, and returns when all are done. Tasks must
  // not throw.
  void forEach(int count, const std::function<void(int)>& task);

 private:
  void work(std::stop_token stop);
  void drain(const std::function<void(int)>& task, int count);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0;
  long generation_ = 0;
  int busy_ = 0;
  std::atomic<int> next_{0};
  std::vector<std::jthread> workers_;
};

}  // namespace satdof
