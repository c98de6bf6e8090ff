#pragma once
#include "app/core/thread_pool.h"

namespace satdof::cpu {

// Calls task(pool): with the threads of the library if no other call uses them, else with the caller alone.
void withPool(const std::function<void(ThreadPool&)>& task);

// The same with the caller alone for little work, in elements that are read, added and written: waking a thread takes longer.
inline void withPool(std::size_t elements, const std::function<void(ThreadPool&)>& task) {
  constexpr std::size_t kFew = 1 << 18;
  if (elements >= kFew) return withPool(task);
  ThreadPool alone(1);
  task(alone);
}

}  // namespace satdof::cpu
