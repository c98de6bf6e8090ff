#include <utility>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/scan.h"
#include "cuda/sort/factories.h"
#include "cuda/sort/scratch_records.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

__device__ std::uint32_t isZero(std::uint32_t key, unsigned bit) { return ~key >> bit & 1; }

// zeros[i] = 1 if `bit` of key i is 0, else 0.
__global__ void __launch_bounds__(kThreads) markZeros(const std::uint32_t* __restrict__ keys, std::uint32_t count,
                                                      unsigned bit, std::uint32_t* __restrict__ zeros) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) zeros[i] = isZero(keys[i], bit);
}

// Stable partition by one bit. With f(i) = zerosBefore[i], the number of zeros before i, and F zeros in all,
// record i moves to f(i) if its bit is 0, else to F + i - f(i).
__global__ void __launch_bounds__(kThreads) scatterByBit(Records input, MutableRecords output, std::uint32_t count,
                                                         unsigned bit, const std::uint32_t* __restrict__ zerosBefore) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t key = input.keys[i];
  const std::uint32_t before = zerosBefore[i];
  const std::uint32_t zeros = zerosBefore[count - 1] + isZero(input.keys[count - 1], bit);
  const std::uint32_t place = isZero(key, bit) ? before : zeros + i - before;
  output.keys[place] = key;
  if (output.values != nullptr) output.values[place] = input.values[i];
}

// Radix sort with one split of the whole array per bit, lowest bit first (GPU Gems 3, 39.3.3). Cost: 32
// passes, for keys alone with 4 n reads and 3 n writes each, of which the scan takes n reads and n writes;
// values add n reads and n writes per pass.
class SplitSorter : public Sorter {
 public:
  SplitSorter(std::uint32_t count, Scan scan)
      : count_(count),
        scratch_(count),
        zeros_(count),
        zerosBefore_(count),
        scan_(makeRowScan({.scan = scan, .inclusive = false, .length = count, .pitch = rowPitch(count)})) {}

 private:
  static constexpr unsigned kBits = 32;
  static_assert(kBits % 2 == 0, "the last pass writes the output");

  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    const unsigned blocks = blocksFor(count_, kThreads);
    Records from = input;
    MutableRecords to = scratch_.like(input), next = output;
    for (unsigned bit = 0; bit < kBits; ++bit) {
      launch(markZeros, {blocks, kThreads, 0, stream}, from.keys, count_, bit, zeros_.data());
      scan_->run(zeros_.data(), zerosBefore_.data(), stream);
      launch(scatterByBit, {blocks, kThreads, 0, stream}, from, to, count_, bit, zerosBefore_.data());
      from = to;
      std::swap(to, next);
    }
  }

  std::uint32_t count_;
  ScratchRecords scratch_;
  DeviceArray<std::uint32_t> zeros_, zerosBefore_;
  std::unique_ptr<RowScan> scan_;
};

}  // namespace

std::unique_ptr<Sorter> makeSplitSorter(std::uint32_t count, Scan scan) {
  return std::make_unique<SplitSorter>(count, scan);
}

}  // namespace satdof::cuda
