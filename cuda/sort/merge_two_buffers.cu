#include "cuda/runtime/launch.cuh"
#include "cuda/sort/factories.h"
#include "cuda/sort/merge_sorter.cuh"

namespace satdof::cuda {

namespace {

struct Tuning {
  static constexpr std::uint32_t threads = 1024;  // elements of a buffer, and of one step
};
static_assert((Tuning::threads & (Tuning::threads - 1)) == 0, "a bitonic merge takes a power of two");

// A key in the upper half, its index in the input in the lower half. All are different. Among equal keys,
// elements of the left run come first: the order is stable.
using Ranked = std::uint64_t;
constexpr Ranked kPadding = ~Ranked{0};

// A ring buffer with the next elements of a run.
struct Ring {
  Ranked* slots;
  std::uint32_t head;       // the first element in `slots`
  std::uint32_t next, end;  // the rest of the run in the input: [next, end)

  __device__ Ranked at(std::uint32_t i) const { return slots[(head + i) % Tuning::threads]; }
  __device__ Ranked loadNext(Records input, std::uint32_t i) const {
    const std::uint32_t source = next + i;
    return source < end ? Ranked{input.keys[source]} << 32 | source : kPadding;
  }
  // Replaces the first `count` elements by the next ones of the run. Call in all threads: `element` is the
  // i-th of them, if i < count.
  __device__ void refill(std::uint32_t i, std::uint32_t count, Ranked element) {
    if (i < count) slots[(head + i) % Tuning::threads] = element;
    head += count;
    next = min(next + count, end);
  }
};

// Merges neighbouring ascending runs of `runLength` records in pairs, one block per pair. In every step,
// thread i of T takes the smaller of left[i] and right[T - 1 - i]: these are the T smallest elements of both
// buffers, as a bitonic sequence, which log2(T) compare-exchange steps sort. The buffers are then refilled
// from their runs. Cost of each of the log2(n / 2T) levels: n reads and n writes, in order; but the last level
// has only one block.
__global__ void __launch_bounds__(Tuning::threads)
    mergePairs(Records input, MutableRecords output, std::uint32_t count, std::uint32_t runLength) {
  __shared__ Ranked slots[2][Tuning::threads];
  __shared__ Ranked exchanged[2][Tuning::threads];
  const std::uint32_t thread = threadIdx.x;
  const std::uint32_t first = blockIdx.x * 2 * runLength;
  const std::uint32_t middle = min(first + runLength, count), last = min(middle + runLength, count);
  Ring left{slots[0], 0, first, middle}, right{slots[1], 0, middle, last};
  left.refill(thread, Tuning::threads, left.loadNext(input, thread));
  right.refill(thread, Tuning::threads, right.loadNext(input, thread));
  __syncthreads();

  for (std::uint32_t written = first; written < last; written += Tuning::threads) {
    const Ranked a = left.at(thread), b = right.at(Tuning::threads - 1 - thread);
    const bool fromLeft = a < b;
    Ranked element = fromLeft ? a : b;
    const auto leftCount = static_cast<std::uint32_t>(__syncthreads_count(fromLeft ? 1 : 0));
    const std::uint32_t rightCount = Tuning::threads - leftCount;
    const Ranked next = thread < leftCount ? left.loadNext(input, thread) : right.loadNext(input, thread - leftCount);
    left.refill(thread, leftCount, next);
    // For threads below leftCount, the index wraps to a value above rightCount.
    right.refill(thread - leftCount, rightCount, next);

    std::uint32_t side = 0;
    const auto keep = [&](Ranked other, std::uint32_t stride) {
      element = (thread & stride) != 0 ? max(element, other) : min(element, other);
    };
#pragma unroll
    for (std::uint32_t stride = Tuning::threads / 2; stride >= kWarpSize; stride /= 2, side ^= 1) {
      exchanged[side][thread] = element;
      __syncthreads();
      keep(exchanged[side][thread ^ stride], stride);
    }
#pragma unroll
    for (std::uint32_t stride = kWarpSize / 2; stride > 0; stride /= 2)
      keep(__shfl_xor_sync(kAllLanes, element, static_cast<int>(stride)), stride);

    if (written + thread < last) {
      output.keys[written + thread] = static_cast<std::uint32_t>(element >> 32);
      if (output.values != nullptr) output.values[written + thread] = input.values[static_cast<std::uint32_t>(element)];
    }
    __syncthreads();
  }
}

// As described in GPU Gems 3: a tile stops splitting when it is sorted, and one block merges a pair of runs
// through two buffers.
struct MergeByTwoBuffers {
  static constexpr bool kStopsWhenSorted = true;
  static void enqueue(Records input, MutableRecords output, std::uint32_t count, std::uint32_t runLength,
                      CUstream_st* stream) {
    const std::uint32_t pairs = ceilDivide(count, 2 * runLength);
    launch(mergePairs, {pairs, Tuning::threads, 0, stream}, input, output, count, runLength);
  }
};

}  // namespace

std::unique_ptr<Sorter> makeMergeTwoBuffersSorter(std::uint32_t count) {
  return std::make_unique<MergeSorter<MergeByTwoBuffers>>(count);
}

}  // namespace satdof::cuda
