#include "app/device/cpu/sort.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "app/device/cpu/radix_pass.h"

namespace satdof {

namespace {

struct Records {
  std::uint32_t* keys;
  std::uint32_t* values;  // null: none
};

// The two buffers between which a sort moves records. `records` holds the input.
struct Buffers {
  Buffers(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, CpuSortScratch& scratch)
      : count(keys.size()) {
    if (!values.empty() && values.size() != count)
      throw std::runtime_error("cannot sort " + std::to_string(count) + " keys with " + std::to_string(values.size()) +
                               " values: give as many values, or none");
    if (scratch.keys.size() < count) scratch.keys.resize(count);
    if (scratch.values.size() < values.size()) scratch.values.resize(values.size());
    records = {keys.data(), values.empty() ? nullptr : values.data()};
    other = {scratch.keys.data(), values.empty() ? nullptr : scratch.values.data()};
  }
  std::size_t count;
  Records records, other;
};

void move(const Records& from, std::size_t i, const Records& to, std::size_t place) {
  to.keys[place] = from.keys[i];
  if (from.values != nullptr) to.values[place] = from.values[i];
}

}  // namespace

void sortByBits(ThreadPool&, std::span<std::uint32_t> keys, std::span<std::uint32_t> values, CpuSortScratch& scratch) {
  constexpr unsigned kBits = 32;
  static_assert(kBits % 2 == 0, "the last bit writes the output");
  Buffers buffers(keys, values, scratch);
  Records from = buffers.records, to = buffers.other;
  for (unsigned bit = 0; bit < kBits; ++bit, std::swap(from, to)) {
    const auto isOne = [&](std::size_t i) { return from.keys[i] >> bit & 1; };
    std::size_t ones = 0;
    for (std::size_t i = 0; i < buffers.count; ++i) ones += isOne(i);
    std::size_t nextZero = 0, nextOne = buffers.count - ones;
    for (std::size_t i = 0; i < buffers.count; ++i) move(from, i, to, isOne(i) != 0 ? nextOne++ : nextZero++);
  }
}

void sortByBytes(ThreadPool& pool, std::span<std::uint32_t> keys, std::span<std::uint32_t> values,
                 CpuSortScratch& scratch) {
  Buffers buffers(keys, values, scratch);
  Records from = buffers.records, to = buffers.other;
  const Pieces pieces(buffers.count, pool);
  scratch.places.resize(kRadixDigits * pieces.pieces);
  const std::span<std::uint32_t> places(scratch.places);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const auto digitOf = [in = from.keys, shift](std::size_t i) { return in[i] >> shift & (kRadixDigits - 1); };
    findPlaces(pool, pieces, digitOf, places);
    const auto firstPlace = [&](std::size_t digit) {
      return digit < kRadixDigits ? places[digit * pieces.pieces] : buffers.count;
    };
    const std::size_t ofFirst = buffers.count == 0 ? 0 : digitOf(0);
    if (firstPlace(ofFirst + 1) - firstPlace(ofFirst) == buffers.count) continue;
    moveToPlaces(pool, pieces, digitOf, places,
                 [from, to](std::size_t i, std::uint32_t place) { move(from, i, to, place); });
    std::swap(from, to);
  }
  if (from.keys == keys.data()) return;
  pieces.forEach(pool, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) move(from, i, to, i);
  });
}

}  // namespace satdof
