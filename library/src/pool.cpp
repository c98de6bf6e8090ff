#include "library/src/pool.h"

#include <memory>

#include "library/src/check.h"

#if defined(__unix__)
#include <pthread.h>
#endif

namespace satdof::cpu {

namespace {

struct Shared {
  std::mutex mutex;
  std::atomic<int> threads = hardwareThreads();
  std::unique_ptr<ThreadPool> pool;  // made by the first call
};

// Never destroyed: a call may outlast main(), and the child of a fork has no threads to join.
std::atomic<Shared*> current = new Shared;

#if defined(__unix__)
// The child of a fork has a copy of the pool's memory, but none of its threads: it gets a new pool.
[[maybe_unused]] const int atFork = pthread_atfork(nullptr, nullptr, [] {
  auto* const fresh = new Shared;
  fresh->threads = current.load()->threads.load();
  current = fresh;
});
#endif

}  // namespace

int threads() { return current.load()->threads; }

void setThreads(int threads) {
  require(threads >= 1 && threads <= 256, "threads must be 1 to 256, not ", threads);
  Shared& shared = *current;
  const std::lock_guard lock(shared.mutex);
  if (threads != shared.threads) shared.pool.reset();
  shared.threads = threads;
}

void withPool(const std::function<void(ThreadPool&)>& task) {
  Shared& shared = *current;
  const std::unique_lock lock(shared.mutex, std::try_to_lock);
  if (lock) {
    if (!shared.pool) shared.pool = std::make_unique<ThreadPool>(shared.threads);
    return task(*shared.pool);
  }
  ThreadPool alone(1);
  task(alone);
}

}  // namespace satdof::cpu
