#include "app/core/system/thread_pool.h"

#include <utility>

namespace satdof {

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this](std::stop_token stop) { work(stop); });
}

ThreadPool::~ThreadPool() {
  for (auto& worker : workers_) worker.request_stop();
}

void ThreadPool::drain(const std::function<void(int)>& task, int count) noexcept {
  try {
    for (int i = next_.fetch_add(1); i < count; i = next_.fetch_add(1)) task(i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count;
  }
}

void ThreadPool::work(std::stop_token stop) {
  long seen = 0;
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return generation_ != seen; })) {
    seen = generation_;
    const auto* task = task_;
    const int count = count_;
    lock.unlock();
    drain(*task, count);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::forEach(int count, const std::function<void(int)>& task) {
  if (workers_.empty() || count <= 1) {
    for (int i = 0; i < count; ++i) task(i);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++generation_;
  }
  wake_.notify_all();
  drain(task, count);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace satdof
