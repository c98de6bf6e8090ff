#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "app/device/cpu/pieces.h"
#include "app/device/cpu/radix_pass.h"
#include "app/device/cpu/vectorised.h"
#include "library/src/check.h"
#include "library/src/memory.h"
#include "library/src/pool.h"
#include "satdof/cpu.h"

namespace satdof::cpu {

namespace {

template <class K>
using Unsigned = std::make_unsigned_t<
    std::conditional_t<std::is_integral_v<K>, K, std::conditional_t<sizeof(K) == 4, std::int32_t, std::int64_t>>>;
template <class K>
constexpr auto kSign = static_cast<Unsigned<K>>(Unsigned<K>{1} << (8 * sizeof(K) - 1));

// The bits of an unsigned number that is ordered like the key: -0 equals 0, NaN comes last.
template <class K>
SATDOF_INLINE inline Unsigned<K> orderedBits(K key) {
  if constexpr (std::is_floating_point_v<K>) {
    const auto bits = std::bit_cast<Unsigned<K>>(key + K{0});  // -0 becomes 0
    const auto mask = static_cast<Unsigned<K>>(bits >> (8 * sizeof(K) - 1) ? ~Unsigned<K>{0} : kSign<K>);
    return std::isnan(key) ? ~Unsigned<K>{0} : bits ^ mask;
  } else {
    return static_cast<Unsigned<K>>(static_cast<Unsigned<K>>(key) ^ (std::is_signed_v<K> ? kSign<K> : 0));
  }
}

// Keys and their indices in the unsorted input. Null keys or order of an output: not written. Null order of
// an input: 0, 1, 2, ...
template <class K>
struct Records {
  K* keys = nullptr;
  std::uint32_t* order = nullptr;
};

// One stable pass of a radix sort, by the digit at bit `shift`. Cost: 2 reads of the keys, 1 write.
template <class K>
void moveByDigit(ThreadPool& pool, const Pieces& pieces, unsigned shift, const Records<const K>& from,
                 const Records<K>& to) {
  const auto digitOf = [keys = from.keys, shift](std::size_t i) {
    return orderedBits(keys[i]) >> shift & (kRadixDigits - 1);
  };
  std::vector<std::uint32_t> places(kRadixDigits * pieces.pieces);
  findPlaces(pool, pieces, digitOf, places);
  moveToPlaces(pool, pieces, digitOf, places, [from, to](std::size_t i, std::uint32_t place) {
    if (to.keys != nullptr) to.keys[place] = from.keys[i];
    if (to.order != nullptr) to.order[place] = from.order != nullptr ? from.order[i] : static_cast<std::uint32_t>(i);
  });
}

// Radix sort, least significant digit first, eight bits per pass. A digit that all keys share needs no pass.
// Writes keys, order or both, as far as `to` has them.
template <class K>
void sortByDigits(ThreadPool& pool, std::span<const K> keys, const Records<K>& to) {
  const std::size_t count = keys.size();
  const Pieces pieces(count, pool);
  Unsigned<K> varying[Pieces::kMax] = {};
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    vectorised([&]() SATDOF_INLINE {
      const auto first = orderedBits(keys[0]);
      Unsigned<K> bits = 0;
      for (std::size_t i = begin; i < end; ++i) bits |= orderedBits(keys[i]) ^ first;
      varying[piece] = bits;
    });
  });
  const auto bits = std::reduce(varying, varying + pieces.pieces, Unsigned<K>{0}, std::bit_or<>());
  std::vector<unsigned> shifts;
  for (unsigned shift = 0; shift < 8 * sizeof(K); shift += 8)
    if ((bits >> shift & 0xff) != 0) shifts.push_back(shift);
  if (shifts.empty()) {
    if (to.keys != nullptr) std::copy(keys.begin(), keys.end(), to.keys);
    if (to.order != nullptr) std::iota(to.order, to.order + count, 0u);
    return;
  }
  // The last pass writes the output; the passes before alternate between a copy and the output.
  const std::size_t moves = shifts.size();
  const auto copies = scratch<K>(moves > 1 ? count : 0),
             ownKeys = scratch<K>(to.keys == nullptr && moves > 2 ? count : 0);
  const auto places = scratch<std::uint32_t>(to.order != nullptr && moves > 1 ? count : 0);
  const Records<K> copy{copies.get(), to.order != nullptr ? places.get() : nullptr},
      out{to.keys != nullptr ? to.keys : ownKeys.get(), to.order};
  Records<const K> from{keys.data(), nullptr};
  for (std::size_t i = 0; i < moves; ++i) {
    const Records<K>& next = i + 1 == moves ? to : (moves - i) % 2 == 0 ? copy : out;
    moveByDigit(pool, pieces, shifts[i], from, next);
    from = {next.keys, next.order};
  }
}

// Counting sort of keys without an order: equal integers are indistinguishable, so their counts are enough.
// Cost: 1 read, 1 write per key.
template <class K>
void sortByCounts(ThreadPool& pool, std::span<const K> keys, K* sorted) {
  constexpr std::size_t kKeys = std::size_t{1} << (8 * sizeof(K));
  const Pieces pieces(keys.size(), pool);
  std::vector<std::uint32_t> counts(kKeys * pieces.pieces);
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    const auto bin = [in = keys.data()](std::size_t i) { return orderedBits(in[i]); };
    addHistogram<kKeys>(begin, end, bin, counts.data() + piece * kKeys);
  });
  std::vector<std::size_t> ends(kKeys);
  std::size_t sum = 0;
  for (std::size_t key = 0; key < kKeys; ++key) {
    for (std::size_t piece = 0; piece < pieces.pieces; ++piece) sum += counts[piece * kKeys + key];
    ends[key] = sum;
  }
  pieces.forEach(pool, [&](std::size_t, std::size_t begin, std::size_t end) {
    auto key = static_cast<std::size_t>(std::ranges::upper_bound(ends, begin) - ends.begin());
    for (std::size_t to; begin < end; begin = to, ++key) {
      to = std::min(end, ends[key]);
      std::fill(sorted + begin, sorted + to,
                static_cast<K>(key ^ orderedBits(K{0})));  // orderedBits() is its own inverse
    }
  });
}

template <std::size_t kBytes>
void gatherItems(ThreadPool& pool, const std::byte* items, std::size_t bytes, std::span<const std::uint32_t> order,
                 std::byte* out) {
  const std::size_t size = kBytes != 0 ? kBytes : bytes;
  Pieces(order.size(), pool).forEach(pool, [=](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) std::memcpy(out + i * size, items + order[i] * size, size);
  });
}

std::uint32_t largestOf(ThreadPool& pool, std::span<const std::uint32_t> order) {
  const Pieces pieces(order.size(), pool);
  std::uint32_t largest[Pieces::kMax] = {};
  pieces.forEach(pool, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    vectorised([&]() SATDOF_INLINE {
      std::uint32_t most = 0;
      for (std::size_t i = begin; i < end; ++i) most = std::max(most, order[i]);
      largest[piece] = most;
    });
  });
  return *std::max_element(largest, largest + pieces.pieces);
}

template <class K>
void requireKeys(std::span<const K> keys, std::size_t count, const char* what) {
  require(keys.size() < (std::size_t{1} << 32), keys.size(), " keys: the limit is 2^32 - 1");
  require(count == keys.size(), what, " ", count, " elements, but there are ", keys.size(), " keys");
}

}  // namespace

template <class K>
void sort(std::span<const K> keys, std::span<K> sorted) {
  requireKeys(keys, sorted.size(), "the output has");
  withPool(keys.size(), [&](ThreadPool& pool) {
    if constexpr (sizeof(K) <= 2)
      if (keys.size() >> (8 * sizeof(K) + 2) != 0) return sortByCounts(pool, keys, sorted.data());
    if (!keys.empty()) sortByDigits<K>(pool, keys, {.keys = sorted.data()});
  });
}

template <class K>
void sort(std::span<const K> keys, std::span<K> sorted, std::span<std::uint32_t> order) {
  requireKeys(keys, sorted.size(), "the output has");
  requireKeys(keys, order.size(), "the order has");
  withPool(keys.size(), [&](ThreadPool& pool) {
    if (!keys.empty()) sortByDigits<K>(pool, keys, {.keys = sorted.data(), .order = order.data()});
  });
}

template <class K>
void sortOrder(std::span<const K> keys, std::span<std::uint32_t> order) {
  requireKeys(keys, order.size(), "the order has");
  withPool(keys.size(), [&](ThreadPool& pool) {
    if (!keys.empty()) sortByDigits<K>(pool, keys, {.order = order.data()});
  });
}

void gather(const void* items, std::size_t bytes, std::size_t count, std::span<const std::uint32_t> order, void* out) {
  if (order.empty() || bytes == 0) return;
  require(items != nullptr && out != nullptr, "the items have no data");
  withPool(order.size(), [&](ThreadPool& pool) {
    const std::uint32_t largest = largestOf(pool, order);
    require(largest < count, "the order names item ", largest, ", but there are ", count);
    const auto run = bytes == 1   ? gatherItems<1>
                     : bytes == 2 ? gatherItems<2>
                     : bytes == 4 ? gatherItems<4>
                     : bytes == 8 ? gatherItems<8>
                                  : gatherItems<0>;
    run(pool, static_cast<const std::byte*>(items), bytes, order, static_cast<std::byte*>(out));
  });
}

#define SATDOF_SORTS(K)                                                           \
  template void sort(std::span<const K>, std::span<K>);                           \
  template void sort(std::span<const K>, std::span<K>, std::span<std::uint32_t>); \
  template void sortOrder(std::span<const K>, std::span<std::uint32_t>);
SATDOF_SORTS(std::uint8_t)
SATDOF_SORTS(std::uint16_t)
SATDOF_SORTS(std::uint32_t)
SATDOF_SORTS(std::uint64_t)
SATDOF_SORTS(std::int8_t)
SATDOF_SORTS(std::int16_t)
SATDOF_SORTS(std::int32_t)
SATDOF_SORTS(std::int64_t)
SATDOF_SORTS(float)
SATDOF_SORTS(double)
#undef SATDOF_SORTS

}  // namespace satdof::cpu
