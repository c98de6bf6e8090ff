#pragma once
#include "cuda/emulator/device.h"

namespace cuda {

enum thread_scope { thread_scope_device };
using memory_order = int;
inline constexpr memory_order memory_order_relaxed = 0;

template <class T, thread_scope>
class atomic_ref {
 public:
  explicit atomic_ref(T& word) : word_(word) {}
  T fetch_add(T value, memory_order) { return atomicAdd(&word_, value); }

 private:
  T& word_;
};

}  // namespace cuda
