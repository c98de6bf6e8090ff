#pragma once
#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace satdof::cuda {

// out[i] = items[order[i]] for i < min(size, *limit), items of `bytes` each. Leaves out indices of `count` and above. All in device
// memory; `limit` may be null.
void takeItems(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order,
               std::size_t size, const std::uint32_t* limit, void* out, CUstream_st* stream);

// Whether items of 4, 8 or 16 bytes can be moved at once.
bool isVector(std::size_t bytes, const void* items, const void* out);

}  // namespace satdof::cuda
