#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/sort/factories.h"
#include "cuda/sort/onesweep.cuh"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"
#include "library/src/cuda/items.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kKeyThreads = 256;

// The bits of an unsigned number that is ordered like the key, of the same size: -0 equals 0, NaN comes last.
template <class K>
__device__ auto orderedBits(K key) {
  using Small = std::conditional_t<sizeof(K) == 1, std::uint8_t, std::uint16_t>;
  using Large = std::conditional_t<sizeof(K) == 4, std::uint32_t, unsigned long long>;
  using Number = std::conditional_t<(sizeof(K) < 4), Small, Large>;
  constexpr Number kSign = Number{1} << (8 * sizeof(Number) - 1);
  if constexpr (std::is_floating_point_v<K>) {
    if (key != key) return ~Number{0};
    Number bits;
    const K positive = key + K{0};  // -0 becomes 0
    memcpy(&bits, &positive, sizeof bits);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else {
    return static_cast<Number>(static_cast<Number>(key) ^ (std::is_signed_v<K> ? kSign : Number{0}));
  }
}

struct FloatKeys : onesweep::IntegerKeys<4> {
  __device__ static std::uint32_t orderedBits(std::uint32_t key) {
    return satdof::cuda::orderedBits(__uint_as_float(key));
  }
};

// words[i] = the 32 bits from bit `shift` of the ordered bits of a key: key i if `first`, else key order[i].
// If `first`, also order[i] = i. A null `words` or `order` is not written.
__global__ void __launch_bounds__(kKeyThreads)
    makeWords(const void* keys, Type type, std::uint32_t count, unsigned shift, bool first, std::uint32_t* order,
              std::uint32_t* words) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  if (words != nullptr)
    withType(type, [&]<class K>(K) {
      const auto number = orderedBits(static_cast<const K*>(keys)[first ? i : order[i]]);
      words[i] = static_cast<std::uint32_t>(number >> shift);
    });
  if (first && order != nullptr) order[i] = i;
}

// The inverse of makeWords() for integers up to 32 bits: keys[i] = the key with the ordered bits words[i].
__global__ void __launch_bounds__(kKeyThreads)
    makeKeys(const std::uint32_t* words, Type type, std::uint32_t count, void* keys) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  withType<4>(type,
              [&]<class K>(K) { static_cast<K*>(keys)[i] = static_cast<K>(orderedBits(static_cast<K>(words[i]))); });
}

std::unique_ptr<Sorter> makeSorter(Type keys, std::uint32_t count) {
  if (count == 0) return nullptr;
  if (keys == Type::float32) return onesweep::makeSorter<FloatKeys>(count);
  if (bytesOf(keys) == 1) return onesweep::makeSorter<onesweep::IntegerKeys<1>>(count);
  if (bytesOf(keys) == 2) return onesweep::makeSorter<onesweep::IntegerKeys<2>>(count);
  return makeOnesweepSorter(count);
}

}  // namespace

struct SortPlan::State {
  Type type;
  std::uint32_t count;
  OnDevice device;
  std::unique_ptr<Sorter> sorter;
  // Ordered bits of the keys, unsorted and sorted. Indices before the sort, after the lower halves of 64-bit
  // keys, and after the upper halves. Empty if not needed.
  DeviceArray<std::uint32_t> words, sorted, before, between, order;

  // The words to sort: the keys themselves if the sorter reads them directly, else makeWords(). `indices` may
  // be null.
  const std::uint32_t* wordsOf(const void* keys, unsigned shift, bool first, std::uint32_t* indices,
                               CUstream_st* stream) const {
    const bool plain = words.size() == 0;
    if (!plain || indices != nullptr)
      launch(makeWords, {blocksFor(count, kKeyThreads), kKeyThreads, 0, stream}, keys, type, count, shift, first,
             indices, words.data());
    return plain ? static_cast<const std::uint32_t*>(keys) : words.data();
  }
};

SortPlan::SortPlan(Type keys, std::size_t count) {
  cpu::require(count <= 1u << 30, count, " keys: the limit is 2^30 on a device");
  const auto words = [&](bool needed = true) { return DeviceArray<std::uint32_t>(needed ? count : 0); };
  const auto number = static_cast<std::uint32_t>(count);
  const bool twice = bytesOf(keys) == 8, plain = keys == Type::float32 || keys == Type::uint32;
  state_ = std::make_unique<State>(
      State{keys, number, {}, makeSorter(keys, number), words(!plain), words(), words(), words(twice), words(twice)});
}
SortPlan::SortPlan(SortPlan&&) noexcept = default;
SortPlan& SortPlan::operator=(SortPlan&&) noexcept = default;
SortPlan::~SortPlan() = default;

void SortPlan::order(const void* keys, std::uint32_t* order, CUstream_st* stream) {
  State& state = *state_;
  state.device.require();
  if (state.count == 0) return;
  cpu::require(keys != nullptr && order != nullptr, "the keys have no data");
  const std::uint32_t* words = state.wordsOf(keys, 0, true, state.before.data(), stream);
  const bool twice = bytesOf(state.type) == 8;
  state.sorter->run({words, state.before.data()}, {state.sorted.data(), twice ? state.between.data() : order}, stream);
  if (!twice) return;
  // Sorted by the lower halves so far. The sort is stable, so sorting by the upper halves completes it.
  words = state.wordsOf(keys, 32, false, state.between.data(), stream);
  state.sorter->run({words, state.between.data()}, {state.sorted.data(), order}, stream);
}

void SortPlan::run(const void* keys, void* sorted, CUstream_st* stream) {
  State& state = *state_;
  cpu::require(state.count == 0 || (keys != nullptr && sorted != nullptr), "the keys have no data");
  if (bytesOf(state.type) == 8) {
    order(keys, state.order.data(), stream);
    takeItems(keys, bytesOf(state.type), state.count, state.order.data(), state.count, nullptr, sorted, stream);
    return;
  }
  state.device.require();
  if (state.count == 0) return;
  const std::uint32_t* const words = state.wordsOf(keys, 0, true, nullptr, stream);
  const bool plain = words == keys;
  std::uint32_t* const to = plain ? static_cast<std::uint32_t*>(sorted) : state.sorted.data();
  state.sorter->run({words, nullptr}, {to, nullptr}, stream);
  if (!plain)
    launch(makeKeys, {blocksFor(state.count, kKeyThreads), kKeyThreads, 0, stream}, state.sorted.data(), state.type,
           state.count, sorted);
}

}  // namespace satdof::cuda
