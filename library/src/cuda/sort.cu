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

// A number that is ordered like the key, of as many bytes: -0 like 0, NaN last.
template <class K>
__device__ auto numberOf(K key) {
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

struct Floats : onesweep::Numbers<4> {
  __device__ static std::uint32_t number(std::uint32_t key) { return numberOf(__uint_as_float(key)); }
};

// words[i]: of the number of key order[i], or of key i, which then goes to order, if `first`. None if `words` is null.
__global__ void __launch_bounds__(kKeyThreads)
    makeWords(const void* keys, Type type, std::uint32_t count, unsigned shift, bool first,
              std::uint32_t* order, std::uint32_t* words) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  if (words != nullptr)
    withType(type, [&]<class K>(K) {
      const auto number = numberOf(static_cast<const K*>(keys)[first ? i : order[i]]);
      words[i] = static_cast<std::uint32_t>(number >> shift);
    });
  if (first && order != nullptr) order[i] = i;
}

// The keys of the numbers of integers up to 32 bits.
__global__ void __launch_bounds__(kKeyThreads)
    makeKeys(const std::uint32_t* words, Type type, std::uint32_t count, void* keys) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  withType<4>(type, [&]<class K>(K) {
    static_cast<K*>(keys)[i] = static_cast<K>(numberOf(static_cast<K>(words[i])));
  });
}

std::unique_ptr<Sorter> makeSorter(Type keys, std::uint32_t count) {
  if (count == 0) return nullptr;
  if (keys == Type::float32) return onesweep::makeSorter<Floats>(count);
  if (bytesOf(keys) == 1) return onesweep::makeSorter<onesweep::Numbers<1>>(count);
  if (bytesOf(keys) == 2) return onesweep::makeSorter<onesweep::Numbers<2>>(count);
  return makeOnesweepSorter(count);
}

}  // namespace

struct SortPlan::State {
  Type type;
  std::uint32_t count;
  OnDevice device;
  std::unique_ptr<Sorter> sorter;
  // Numbers of keys, sorted; the order before, between the halves of 64 bits, and after. Null where not needed.
  DeviceArray<std::uint32_t> words, sorted, before, between, order;

  // The keys themselves if the sorter can read them, else their numbers. Fills `of` if not null.
  const std::uint32_t* wordsOf(const void* keys, unsigned shift, bool first, std::uint32_t* of,
                               CUstream_st* stream) const {
    const bool plain = words.size() == 0;
    if (!plain || of != nullptr)
      launch(makeWords, {blocksFor(count, kKeyThreads), kKeyThreads, 0, stream}, keys, type, count, shift,
             first, of, words.data());
    return plain ? static_cast<const std::uint32_t*>(keys) : words.data();
  }
};

SortPlan::SortPlan(Type keys, std::size_t count) {
  cpu::require(count <= 1u << 30, count, " keys: the limit is 2^30 on a device");
  const auto words = [&](bool needed = true) { return DeviceArray<std::uint32_t>(needed ? count : 0); };
  const auto number = static_cast<std::uint32_t>(count);
  const bool twice = bytesOf(keys) == 8, plain = keys == Type::float32 || keys == Type::uint32;
  state_ = std::make_unique<State>(State{keys,
                                         number,
                                         {},
                                         makeSorter(keys, number),
                                         words(!plain),
                                         words(),
                                         words(),
                                         words(twice),
                                         words(twice)});
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
  state.sorter->run({words, state.before.data()}, {state.sorted.data(), twice ? state.between.data() : order},
                    stream);
  if (!twice) return;
  // The upper halves; the sort is stable.
  words = state.wordsOf(keys, 32, false, state.between.data(), stream);
  state.sorter->run({words, state.between.data()}, {state.sorted.data(), order}, stream);
}

void SortPlan::run(const void* keys, void* sorted, CUstream_st* stream) {
  State& state = *state_;
  if (bytesOf(state.type) == 8) {
    order(keys, state.order.data(), stream);
    takeItems(keys, bytesOf(state.type), state.count, state.order.data(), state.count, nullptr, sorted,
              stream);
    return;
  }
  state.device.require();
  if (state.count == 0) return;
  cpu::require(keys != nullptr && sorted != nullptr, "the keys have no data");
  const std::uint32_t* const words = state.wordsOf(keys, 0, true, nullptr, stream);
  const bool plain = words == keys;
  std::uint32_t* const to = plain ? static_cast<std::uint32_t*>(sorted) : state.sorted.data();
  state.sorter->run({words, nullptr}, {to, nullptr}, stream);
  if (!plain)
    launch(makeKeys, {blocksFor(state.count, kKeyThreads), kKeyThreads, 0, stream}, state.sorted.data(),
           state.type, state.count, sorted);
}

}  // namespace satdof::cuda
