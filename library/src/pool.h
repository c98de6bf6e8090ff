#pragma once
#include "app/core/thread_pool.h"

namespace satdof::cpu {

// Calls task(pool): with the threads of the library if no other call uses them, else with the caller alone.
void withPool(const std::function<void(ThreadPool&)>& task);

// A call with fewer elements runs on the caller alone: waking a thread takes longer.
inline constexpr std::size_t kFewElements = 1 << 15;

inline void withPool(std::size_t elements, const std::function<void(ThreadPool&)>& task) {
  if (elements >= kFewElements) return withPool(task);
  ThreadPool alone(1);
  task(alone);
}

}  // namespace satdof::cpu
