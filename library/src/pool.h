#pragma once
#include "app/core/system/thread_pool.h"

namespace satdof::cpu {

// Calls task(pool) with the threads of the library, or with a pool of the calling thread alone if another
// call uses them.
void withPool(const std::function<void(ThreadPool&)>& task);

// As above, but with the calling thread alone for little work: waking threads would take longer. `elements`:
// the work, in elements that are read, added and written.
inline void withPool(std::size_t elements, const std::function<void(ThreadPool&)>& task) {
  constexpr std::size_t kFew = 1 << 18;
  if (elements >= kFew) return withPool(task);
  ThreadPool alone(1);
  task(alone);
}

}  // namespace satdof::cpu
