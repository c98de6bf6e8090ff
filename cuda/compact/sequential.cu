#include "cuda/block/divide.h"
#include "cuda/compact/factories.h"
#include "cuda/compact/source.cuh"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

namespace {

struct Tuning {
  static constexpr std::uint32_t threads = 256;
  static constexpr std::uint32_t warps = threads / kWarpSize;
  static constexpr std::uint32_t blocksPerMultiprocessor = 8;
  static constexpr std::uint32_t loads = 4;                 // loads in flight per thread
  static constexpr std::uint32_t step = loads * kWarpSize;  // elements that a warp loads at once
  static constexpr std::uint32_t scanThreads = 1024;
};

// The input in contiguous pieces, one per warp of the grid.
struct Pieces {
  std::uint32_t elements;
  std::uint32_t length;  // elements of a piece, a multiple of Tuning::step

  __device__ std::uint32_t index() const { return blockIdx.x * Tuning::warps + threadIdx.x / kWarpSize; }
  __device__ std::uint32_t begin() const { return min(index() * length, elements); }
  __device__ std::uint32_t end() const { return min(begin() + length, elements); }
};

// lanes[k], bit l: the flag of element first + 32 k + l of a piece; 0 from `end` on.
struct Ballots {
  std::uint32_t lanes[Tuning::loads];

  __device__ Ballots(const std::uint32_t* flags, std::uint32_t first, std::uint32_t end) {
    std::uint32_t laneFlags[Tuning::loads];
#pragma unroll
    for (std::uint32_t k = 0; k < Tuning::loads; ++k) {
      const std::uint32_t i = first + k * kWarpSize + threadIdx.x % kWarpSize;
      laneFlags[k] = i < end ? flags[i] : 0;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < Tuning::loads; ++k) lanes[k] = __ballot_sync(kAllLanes, laneFlags[k] != 0);
  }
};

// counts[piece] = the number of set flags of the piece. Cost: n reads.
__global__ void __launch_bounds__(Tuning::threads)
    countPieces(const std::uint32_t* __restrict__ flags, Pieces pieces, std::uint32_t* __restrict__ counts) {
  const std::uint32_t end = pieces.end();
  std::uint32_t count = 0;
  for (std::uint32_t first = pieces.begin(); first < end; first += Tuning::step) {
    const Ballots ballots(flags, first, end);
#pragma unroll
    for (const std::uint32_t lanes : ballots.lanes) count += __popc(lanes);
  }
  if (threadIdx.x % kWarpSize == 0) counts[pieces.index()] = count;
}

// offsets[i] = counts[0] + ... + counts[i - 1]; *total = the sum of all counts. One block.
__global__ void __launch_bounds__(Tuning::scanThreads)
    scanCounts(const std::uint32_t* __restrict__ counts, std::uint32_t size, std::uint32_t* __restrict__ offsets,
               std::uint32_t* __restrict__ total) {
  static_assert(Tuning::scanThreads == kWarpSize * kWarpSize, "one warp scans the sums of all warps");
  __shared__ std::uint32_t warpSums[kWarpSize];
  const std::uint32_t lane = threadIdx.x % kWarpSize;
  const std::uint32_t warp = threadIdx.x / kWarpSize;
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < size; first += Tuning::scanThreads) {
    const std::uint32_t i = first + threadIdx.x;
    const std::uint32_t count = i < size ? counts[i] : 0;
    const std::uint32_t inclusive = scanLanes(count);
    if (lane == kWarpSize - 1) warpSums[warp] = inclusive;
    __syncthreads();
    const std::uint32_t sums = scanLanes(warpSums[lane]);
    const std::uint32_t lowerWarps = __shfl_sync(kAllLanes, sums - warpSums[lane], warp);
    if (i < size) offsets[i] = before + lowerWarps + inclusive - count;
    before += __shfl_sync(kAllLanes, sums, kWarpSize - 1);
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = before;
}

// Every warp compacts its piece, Tuning::step elements at a time. Ballot and population count give the place
// of a flagged element. Flagged elements are staged in shared memory, so that all writes of a piece except
// the last have 32 elements. Cost: n reads of flags, one read and one write per flagged element.
template <class Source, class Element = typename Source::Element>
__global__ void __launch_bounds__(Tuning::threads)
    compactPieces(const std::uint32_t* __restrict__ flags, Pieces pieces, const std::uint32_t* __restrict__ offsets,
                  Source source, Element* __restrict__ out) {
  __shared__ Element staged[Tuning::warps][kWarpSize - 1 + Tuning::step];
  Element* const pending = staged[threadIdx.x / kWarpSize];
  const std::uint32_t lane = threadIdx.x % kWarpSize;
  const std::uint32_t lowerLanes = (1u << lane) - 1;
  const std::uint32_t end = pieces.end();
  Element* output = out + offsets[pieces.index()];
  std::uint32_t count = 0;
  for (std::uint32_t first = pieces.begin(); first < end; first += Tuning::step) {
    const Ballots ballots(flags, first, end);
#pragma unroll
    for (std::uint32_t k = 0; k < Tuning::loads; ++k) {
      if (ballots.lanes[k] >> lane & 1)
        pending[count + __popc(ballots.lanes[k] & lowerLanes)] = source(first + k * kWarpSize + lane);
      count += __popc(ballots.lanes[k]);
    }
    __syncwarp();
    const std::uint32_t full = count / kWarpSize * kWarpSize;
    for (std::uint32_t i = lane; i < full; i += kWarpSize) output[i] = pending[i];
    Element rest{};
    if (lane < count - full) rest = pending[full + lane];
    __syncwarp();
    pending[lane] = rest;
    __syncwarp();
    output += full;
    count -= full;
  }
  if (lane < count) output[lane] = pending[lane];
}

std::uint32_t warpsToFillTheDevice() {
  return device().multiprocessors * Tuning::blocksPerMultiprocessor * Tuning::warps;
}

// Billeter, Olsson, Assarsson 2009: count, scan the counts, compact. There are at most as many pieces as
// resident warps, so that the scan of the counts stays small for any n. Cost: 2 n reads of flags, one read
// and one write per flagged element, three launches.
class SequentialCompactor : public CompactorOf<SequentialCompactor> {
 public:
  explicit SequentialCompactor(std::uint32_t count) {
    const std::uint32_t warps = warpsToFillTheDevice();
    const std::uint32_t steps = ceilDivide(count, Tuning::step);
    const std::uint32_t length = ceilDivide(steps, warps) * Tuning::step;
    pieces_ = {count, length};
    blocks_ = ceilDivide(count, length * Tuning::warps);
    counts_ = DeviceArray<std::uint32_t>(blocks_ * Tuning::warps);
    offsets_ = DeviceArray<std::uint32_t>(blocks_ * Tuning::warps);
  }

  template <class Source>
  void enqueue(const std::uint32_t* flags, Source source, typename Source::Element* out, std::uint32_t* kept,
               CUstream_st* stream) const {
    launch(countPieces, {blocks_, Tuning::threads, 0, stream}, flags, pieces_, counts_.data());
    launch(scanCounts, {1, Tuning::scanThreads, 0, stream}, counts_.data(), blocks_ * Tuning::warps, offsets_.data(),
           kept);
    launch(compactPieces<Source>, {blocks_, Tuning::threads, 0, stream}, flags, pieces_, offsets_.data(), source, out);
  }

 private:
  Pieces pieces_;
  std::uint32_t blocks_;
  DeviceArray<std::uint32_t> counts_, offsets_;
};

}  // namespace

std::unique_ptr<Compactor> makeSequentialCompactor(std::uint32_t count) {
  return std::make_unique<SequentialCompactor>(count);
}

}  // namespace satdof::cuda
