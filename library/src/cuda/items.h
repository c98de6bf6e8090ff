#pragma once
#include <vector_types.h>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace satdof::cuda {

// Enqueues out[i] = items[order[i]] for i < min(size, *limit), with items of `bytes` bytes. Writes nothing
// where order[i] is not below `count`. All pointers are to device memory; a null `limit` means `size`.
void takeItems(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order, std::size_t size,
               const std::uint32_t* limit, void* out, CUstream_st* stream);

// Calls task(Item{}) with a type of `bytes` bytes, 1 to 16. Returns false without a call if there is no such
// type, or if `items` or `out` are not aligned to it.
template <class Task>
bool withItem(std::size_t bytes, const void* items, const void* out, const Task& task) {
  const auto places = reinterpret_cast<std::uintptr_t>(items) | reinterpret_cast<std::uintptr_t>(out);
  if (bytes == 0 || places % bytes != 0) return false;
  switch (bytes) {
    case 1:
      return task(std::uint8_t{}), true;
    case 2:
      return task(std::uint16_t{}), true;
    case 4:
      return task(std::uint32_t{}), true;
    case 8:
      return task(uint2{}), true;
    case 16:
      return task(uint4{}), true;
    default:
      return false;
  }
}

}  // namespace satdof::cuda
