#include "cuda/compact/factories.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    scatter(const std::uint32_t* __restrict__ flags, const std::uint32_t* __restrict__ places,
            std::uint32_t count, std::uint32_t* __restrict__ indices, std::uint32_t* __restrict__ kept) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  if (flags[i] != 0) indices[places[i]] = i;
  if (i == count - 1) *kept = places[i] + flags[i];
}

// The place of a flagged element is the exclusive scan of the flags. Cost: 3 n reads, n writes, and the
// writes of the indices.
class ScanScatterCompactor : public Compactor {
 public:
  explicit ScanScatterCompactor(std::uint32_t count)
      : count_(count),
        places_(count),
        scan_(makeRowScan({.scan = Scan::decoupledLookback,
                           .inclusive = false,
                           .length = count,
                           .pitch = rowPitch(count)})) {}

  void run(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept,
           CUstream_st* stream) override {
    scan_->run(flags, places_.data(), stream);
    scatter<<<(count_ + kThreads - 1) / kThreads, kThreads, 0, stream>>>(flags, places_.data(), count_,
                                                                         indices, kept);
    SATDOF_CUDA_LAUNCHED();
  }

 private:
  std::uint32_t count_;
  DeviceArray<std::uint32_t> places_;
  std::unique_ptr<RowScan> scan_;
};

}  // namespace

std::unique_ptr<Compactor> makeScanScatterCompactor(std::uint32_t count) {
  return std::make_unique<ScanScatterCompactor>(count);
}

}  // namespace satdof::cuda
