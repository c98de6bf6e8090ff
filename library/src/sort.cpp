#include "app/device/cpu/sort.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "library/src/check.h"
#include "library/src/pool.h"

namespace satdof::cpu {

namespace {

// An unsigned number that is ordered like the key.
template <class K>
auto orderedBits(K key) {
  using Word = std::conditional_t<sizeof(K) == 8, std::uint64_t, std::uint32_t>;
  constexpr Word kSign = Word{1} << (8 * sizeof(Word) - 1);
  if constexpr (std::is_floating_point_v<K>) {
    if (std::isnan(key)) return ~Word{0};
    const auto bits = std::bit_cast<Word>(key + K{0});  // -0 becomes 0
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<K>) {
    return static_cast<Word>(static_cast<std::make_signed_t<Word>>(key)) ^ kSign;
  } else {
    return Word{key};
  }
}

template <class Task>
void forEachPiece(ThreadPool& pool, std::size_t count, const Task& task) {
  const auto pieces = static_cast<std::size_t>(pool.threads());
  pool.forEach(pool.threads(), [&](int i) {
    const auto piece = static_cast<std::size_t>(i);
    for (std::size_t at = count * piece / pieces; at < count * (piece + 1) / pieces; ++at) task(at);
  });
}

template <std::size_t kBytes>
void gatherItems(const std::byte* items, std::size_t bytes, std::span<const std::uint32_t> order,
                 std::byte* out) {
  const std::size_t size = kBytes != 0 ? kBytes : bytes;
  withPool(order.size(), [&](ThreadPool& pool) {
    forEachPiece(pool, order.size(),
                 [&](std::size_t i) { std::memcpy(out + i * size, items + order[i] * size, size); });
  });
}

}  // namespace

template <class K>
void sortOrder(std::span<const K> keys, std::span<std::uint32_t> order) {
  require(keys.size() < (std::size_t{1} << 32), keys.size(), " keys: the limit is 2^32 - 1");
  require(order.size() == keys.size(), "the order has ", order.size(), " elements, but there are ",
          keys.size(), " keys");
  withPool(8 * keys.size(), [&](ThreadPool& pool) {
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::uint32_t> words(keys.size());
    CpuSortScratch scratch;
    // Half a key of 64 bits at a time, the lower one first: the sort is stable.
    for (unsigned shift = 0; shift < 8 * sizeof(K); shift += 32) {
      forEachPiece(pool, keys.size(), [&](std::size_t i) {
        words[i] = static_cast<std::uint32_t>(orderedBits(keys[order[i]]) >> shift);
      });
      sortByBytes(pool, words, order, scratch);
    }
  });
}

void gather(const void* items, std::size_t bytes, std::size_t count, std::span<const std::uint32_t> order,
            void* out) {
  if (order.empty() || bytes == 0) return;
  require(items != nullptr && out != nullptr, "the items have no data");
  std::uint32_t largest = 0;
  for (const std::uint32_t i : order) largest = std::max(largest, i);
  require(largest < count, "the order names item ", largest, ", but there are ", count);
  const auto run = bytes == 1   ? gatherItems<1>
                   : bytes == 2 ? gatherItems<2>
                   : bytes == 4 ? gatherItems<4>
                   : bytes == 8 ? gatherItems<8>
                                : gatherItems<0>;
  run(static_cast<const std::byte*>(items), bytes, order, static_cast<std::byte*>(out));
}

#define SATDOF_ORDERS(K) template void sortOrder(std::span<const K>, std::span<std::uint32_t>);
SATDOF_ORDERS(std::uint8_t)
SATDOF_ORDERS(std::uint16_t)
SATDOF_ORDERS(std::uint32_t)
SATDOF_ORDERS(std::uint64_t)
SATDOF_ORDERS(std::int8_t)
SATDOF_ORDERS(std::int16_t)
SATDOF_ORDERS(std::int32_t)
SATDOF_ORDERS(std::int64_t)
SATDOF_ORDERS(float)
SATDOF_ORDERS(double)
#undef SATDOF_ORDERS

}  // namespace satdof::cpu
