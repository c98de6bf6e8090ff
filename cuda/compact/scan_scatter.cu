#include "cuda/block/divide.h"
#include "cuda/compact/factories.h"
#include "cuda/compact/source.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

// Writes element i to out[places[i]] if flags[i] is set. `places`: exclusive scan of the flags.
template <class Source>
__global__ void __launch_bounds__(kThreads)
    scatter(const std::uint32_t* __restrict__ flags, const std::uint32_t* __restrict__ places, std::uint32_t count,
            Source source, typename Source::Element* __restrict__ out, std::uint32_t* __restrict__ kept) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  if (flags[i] != 0) out[places[i]] = source(i);
  if (i == count - 1) *kept = places[i] + flags[i];
}

// GPU Gems 3, 39.3.1: the exclusive scan of the flags is the place of each flagged element. Cost: the scan, 2
// n reads, one read and one write per flagged element.
class ScanScatterCompactor : public CompactorOf<ScanScatterCompactor> {
 public:
  ScanScatterCompactor(std::uint32_t count, Scan scan)
      : count_(count),
        places_(count),
        scan_(makeRowScan({.scan = scan, .inclusive = false, .length = count, .pitch = rowPitch(count)})) {}

  template <class Source>
  void enqueue(const std::uint32_t* flags, Source source, typename Source::Element* out, std::uint32_t* kept,
               CUstream_st* stream) const {
    scan_->run(flags, places_.data(), stream);
    launch(scatter<Source>, {blocksFor(count_, kThreads), kThreads, 0, stream}, flags, places_.data(), count_, source,
           out, kept);
  }

 private:
  std::uint32_t count_;
  DeviceArray<std::uint32_t> places_;
  std::unique_ptr<RowScan> scan_;
};

}  // namespace

std::unique_ptr<Compactor> makeScanScatterCompactor(std::uint32_t count, Scan scan) {
  return std::make_unique<ScanScatterCompactor>(count, scan);
}

}  // namespace satdof::cuda
