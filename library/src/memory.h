#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace satdof::cpu {

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};

// Uninitialised memory.
template <class T>
using Scratch = std::unique_ptr<T[], Freed>;

// `count` uninitialised elements. From 2 MB on, in huge pages: fewer page faults and TLB misses. Throws
// std::bad_alloc.
template <class T>
Scratch<T> scratch(std::size_t count) {
  std::size_t bytes = count * sizeof(T);
#if defined(__linux__)
  constexpr std::size_t kPage = 1 << 21;
  if (bytes >= kPage) {
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* const memory = std::aligned_alloc(kPage, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);
    return Scratch<T>(static_cast<T*>(memory));
  }
#endif
  void* const memory = std::malloc(bytes);
  if (memory == nullptr && bytes != 0) throw std::bad_alloc();
  return Scratch<T>(static_cast<T*>(memory));
}

}  // namespace satdof::cpu
