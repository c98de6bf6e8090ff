#pragma once
#include <vector_types.h>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace satdof::cuda {

// out[i] = items[order[i]] for i < min(size, *limit), items of `bytes` each. Leaves out indices of `count` and above. All in device
// memory; `limit` may be null.
void takeItems(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order,
               std::size_t size, const std::uint32_t* limit, void* out, CUstream_st* stream);

// Calls task(Item{}) with a type of `bytes` bytes. Returns false if no kernel moves such items, or items that lie so, at once.
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
