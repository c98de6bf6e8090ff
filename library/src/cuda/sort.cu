#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/sort/factories.h"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"
#include "library/src/cuda/items.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kKeyThreads = 256;

// A word of 32 or 64 bits that is ordered like the key: -0 like 0, NaN last.
template <class K>
__device__ auto orderedWord(K key) {
  using Word = std::conditional_t<sizeof(K) == 8, unsigned long long, std::uint32_t>;
  constexpr Word kSign = Word{1} << (8 * sizeof(Word) - 1);
  if constexpr (std::is_floating_point_v<K>) {
    if (key != key) return ~Word{0};
    Word bits;
    const K positive = key + K{0};  // -0 becomes 0
    memcpy(&bits, &positive, sizeof bits);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<K>) {
    return static_cast<Word>(static_cast<std::make_signed_t<Word>>(key)) ^ kSign;
  } else {
    return Word{key};
  }
}

// words[i]: of key order[i], or of key i, which then goes to order, if `first`.
__global__ void __launch_bounds__(kKeyThreads)
    makeWords(const void* keys, Type type, std::uint32_t count, unsigned shift, bool first,
              std::uint32_t* order, std::uint32_t* words) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  withType(type, [&]<class K>(K) {
    const auto word = orderedWord(static_cast<const K*>(keys)[first ? i : order[i]]);
    words[i] = static_cast<std::uint32_t>(word >> shift);
  });
  if (first) order[i] = i;
}

// The keys of words of integers up to 32 bits.
__global__ void __launch_bounds__(kKeyThreads)
    makeKeys(const std::uint32_t* words, Type type, std::uint32_t count, void* keys) {
  const std::uint32_t i = blockIdx.x * kKeyThreads + threadIdx.x;
  if (i >= count) return;
  withType<4>(type, [&]<class K>(K) {
    static_cast<K*>(keys)[i] = static_cast<K>(std::is_signed_v<K> ? words[i] ^ 1u << 31 : words[i]);
  });
}

}  // namespace

struct SortPlan::State {
  Type type;
  std::uint32_t count;
  OnDevice device;
  std::unique_ptr<Sorter> sorter;
  // Words of keys, sorted; the order before, between the halves of 64 bits, and after.
  DeviceArray<std::uint32_t> words, sorted, before, between, order;

  void makeWordsOf(const void* keys, unsigned shift, bool first, std::uint32_t* of,
                   CUstream_st* stream) const {
    launch(makeWords, {blocksFor(count, kKeyThreads), kKeyThreads, 0, stream}, keys, type, count, shift,
           first, of, words.data());
  }
};

SortPlan::SortPlan(Type keys, std::size_t count) {
  cpu::require(count <= 1u << 30, count, " keys: the limit is 2^30 on a device");
  const auto words = [&](bool needed = true) { return DeviceArray<std::uint32_t>(needed ? count : 0); };
  const bool twice = bytesOf(keys) == 8;
  state_ = std::make_unique<State>(State{keys,
                                         static_cast<std::uint32_t>(count),
                                         {},
                                         nullptr,
                                         words(),
                                         words(),
                                         words(),
                                         words(twice),
                                         words(twice || isFloat(keys))});
  if (count > 0) state_->sorter = makeOnesweepSorter(state_->count);
}
SortPlan::SortPlan(SortPlan&&) noexcept = default;
SortPlan& SortPlan::operator=(SortPlan&&) noexcept = default;
SortPlan::~SortPlan() = default;

void SortPlan::order(const void* keys, std::uint32_t* order, CUstream_st* stream) {
  State& state = *state_;
  state.device.require();
  if (state.count == 0) return;
  cpu::require(keys != nullptr && order != nullptr, "the keys have no data");
  state.makeWordsOf(keys, 0, true, state.before.data(), stream);
  const bool twice = bytesOf(state.type) == 8;
  state.sorter->run({state.words.data(), state.before.data()},
                    {state.sorted.data(), twice ? state.between.data() : order}, stream);
  if (!twice) return;
  // The upper halves; the sort is stable.
  state.makeWordsOf(keys, 32, false, state.between.data(), stream);
  state.sorter->run({state.words.data(), state.between.data()}, {state.sorted.data(), order}, stream);
}

void SortPlan::run(const void* keys, void* sorted, CUstream_st* stream) {
  State& state = *state_;
  if (isFloat(state.type) || bytesOf(state.type) > 4) {
    order(keys, state.order.data(), stream);
    takeItems(keys, bytesOf(state.type), state.count, state.order.data(), state.count, nullptr, sorted,
              stream);
    return;
  }
  state.device.require();
  if (state.count == 0) return;
  cpu::require(keys != nullptr && sorted != nullptr, "the keys have no data");
  state.makeWordsOf(keys, 0, true, state.before.data(), stream);
  state.sorter->run({state.words.data(), nullptr}, {state.sorted.data(), nullptr}, stream);
  launch(makeKeys, {blocksFor(state.count, kKeyThreads), kKeyThreads, 0, stream}, state.sorted.data(),
         state.type, state.count, sorted);
}

}  // namespace satdof::cuda
