#include "library/src/cuda/items.h"

#include <cuda_runtime.h>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "library/src/check.h"
#include "satdof/cuda.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kItemThreads = 256;

// One thread per item.
template <class Item>
__global__ void __launch_bounds__(kItemThreads)
    takeEach(const Item* items, std::uint32_t count, const std::uint32_t* order, std::uint32_t size,
             const std::uint32_t* limit, Item* out) {
  const std::uint32_t i = blockIdx.x * kItemThreads + threadIdx.x;
  if (i >= size || (limit != nullptr && i >= *limit)) return;
  if (const std::uint32_t from = order[i]; from < count) out[i] = items[from];
}

// One thread per byte, for items of any size and alignment.
__global__ void __launch_bounds__(kItemThreads)
    takeBytes(const std::uint8_t* items, std::size_t bytes, std::uint32_t count, const std::uint32_t* order,
              std::uint32_t size, const std::uint32_t* limit, std::uint8_t* out) {
  for (std::size_t at = std::size_t{blockIdx.x} * kItemThreads + threadIdx.x; at < size * bytes;
       at += std::size_t{gridDim.x} * kItemThreads) {
    const auto i = static_cast<std::uint32_t>(at / bytes);
    if (limit != nullptr && i >= *limit) return;
    if (const std::uint32_t from = order[i]; from < count) out[at] = items[from * bytes + at % bytes];
  }
}

}  // namespace

void takeItems(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order, std::size_t size,
               const std::uint32_t* limit, void* out, CUstream_st* stream) {
  if (size == 0 || bytes == 0) return;
  const auto number = static_cast<std::uint32_t>(count), places = static_cast<std::uint32_t>(size);
  const auto each = [&]<class Item>(Item) {
    launch(takeEach<Item>, {blocksFor(size, kItemThreads), kItemThreads, 0, stream}, static_cast<const Item*>(items),
           number, order, places, limit, static_cast<Item*>(out));
  };
  if (withItem(bytes, items, out, each)) return;
  const unsigned blocks = std::min(blocksFor(size * bytes, kItemThreads), 1u << 20);
  launch(takeBytes, {blocks, kItemThreads, 0, stream}, static_cast<const std::uint8_t*>(items), bytes, number, order,
         places, limit, static_cast<std::uint8_t*>(out));
}

void gather(const void* items, std::size_t bytes, std::size_t count, const std::uint32_t* order, std::size_t size,
            void* out, CUstream_st* stream) {
  constexpr std::size_t kLimit = std::size_t{1} << 31;
  cpu::require(count < kLimit && size < kLimit, "a gather of ", size, " of ", count, " items: the limit is 2^31 - 1");
  if (size == 0 || bytes == 0) return;
  cpu::require((items != nullptr || count == 0) && order != nullptr && out != nullptr, "the items have no data");
  takeItems(items, bytes, count, order, size, nullptr, out, stream);
}

}  // namespace satdof::cuda
