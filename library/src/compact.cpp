#include <cstring>
#include <utility>

#include "library/src/check.h"
#include "library/src/pool.h"

namespace satdof::cpu {

namespace {

constexpr std::size_t kBlock = 1 << 15;

std::size_t countOf(std::span<const std::uint8_t> mask) {
  std::size_t kept = 0;
  for (const std::uint8_t flag : mask) kept += flag != 0;
  return kept;
}

// Calls task(block, flags of the block) for every block of kBlock flags, on all threads.
template <class Task>
void forEachBlock(std::span<const std::uint8_t> mask, const Task& task) {
  withPool(mask.size(), [&](ThreadPool& pool) {
    pool.forEach(static_cast<int>((mask.size() + kBlock - 1) / kBlock), [&](int i) {
      const std::size_t block = static_cast<std::size_t>(i), first = block * kBlock;
      task(block, mask.subspan(first, std::min(kBlock, mask.size() - first)));
    });
  });
}

std::vector<std::size_t> countsOf(std::span<const std::uint8_t> mask) {
  std::vector<std::size_t> counts((mask.size() + kBlock - 1) / kBlock);
  forEachBlock(mask, [&](std::size_t block, std::span<const std::uint8_t> flags) { counts[block] = countOf(flags); });
  return counts;
}

// Copies the flagged items to `out`, without branches if the size is known: every item is written, and the
// next one overwrites it unless it is kept. Stops after `kept` items, so nothing is written past the end.
// kBytes: the item size, 0 if not known.
template <std::size_t kBytes>
void move(const std::byte* items, std::size_t bytes, std::span<const std::uint8_t> flags, std::byte* out,
          std::size_t kept) {
  const std::size_t size = kBytes != 0 ? kBytes : bytes;
  std::byte* const end = out + kept * size;
  for (std::size_t i = 0; out < end; ++i) {
    if (kBytes != 0 || flags[i] != 0) std::memcpy(out, items + i * size, size);
    out += flags[i] != 0 ? size : 0;
  }
}

}  // namespace

std::size_t count(std::span<const std::uint8_t> mask) {
  std::size_t kept = 0;
  for (const std::size_t block : countsOf(mask)) kept += block;
  return kept;
}

std::size_t compact(const void* items, std::size_t bytes, std::span<const std::uint8_t> mask, void* out) {
  std::vector<std::size_t> places = countsOf(mask);
  std::size_t kept = 0;
  for (std::size_t& place : places) kept += std::exchange(place, kept);
  if (kept == 0 || bytes == 0) return kept;
  require(items != nullptr && out != nullptr, "the items have no data");
  const auto moved = bytes == 1    ? move<1>
                     : bytes == 2  ? move<2>
                     : bytes == 4  ? move<4>
                     : bytes == 8  ? move<8>
                     : bytes == 16 ? move<16>
                                   : move<0>;
  forEachBlock(mask, [&](std::size_t block, std::span<const std::uint8_t> flags) {
    const std::size_t end = block + 1 < places.size() ? places[block + 1] : kept;
    moved(static_cast<const std::byte*>(items) + block * kBlock * bytes, bytes, flags,
          static_cast<std::byte*>(out) + places[block] * bytes, end - places[block]);
  });
  return kept;
}

}  // namespace satdof::cpu
