#include "cuda/block/divide.h"
#include "cuda/compact/factories.h"
#include "cuda/runtime/launch.cuh"
#include "library/src/check.h"
#include "library/src/cuda/items.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kFlagThreads = 256;

__global__ void __launch_bounds__(kFlagThreads)
    widenFlags(const std::uint8_t* mask, std::uint32_t count, std::uint32_t* flags) {
  const std::uint32_t i = blockIdx.x * kFlagThreads + threadIdx.x;
  if (i < count) flags[i] = mask[i] != 0 ? 1 : 0;
}

}  // namespace

struct CompactPlan::State {
  std::size_t count, bytes;
  OnDevice device;
  std::unique_ptr<Compactor> compactor;
  DeviceArray<std::uint32_t> flags, indices;
};

CompactPlan::CompactPlan(std::size_t count, std::size_t bytes) {
  cpu::require(count <= 1u << 30, count, " items: the limit is 2^30 on a device");
  state_ = std::make_unique<State>(
      State{count, bytes, {}, nullptr, DeviceArray<std::uint32_t>(count), DeviceArray<std::uint32_t>(count)});
  if (count > 0) state_->compactor = makeDecoupledLookbackCompactor(static_cast<std::uint32_t>(count));
}
CompactPlan::CompactPlan(CompactPlan&&) noexcept = default;
CompactPlan& CompactPlan::operator=(CompactPlan&&) noexcept = default;
CompactPlan::~CompactPlan() = default;

void CompactPlan::run(const void* items, const std::uint8_t* mask, void* out, std::uint32_t* kept,
                      CUstream_st* stream) {
  State& state = *state_;
  state.device.require();
  cpu::require(kept != nullptr, "the number of items has no place");
  if (state.count == 0) {
    SATDOF_CUDA(cudaMemsetAsync(kept, 0, sizeof *kept, stream));
    return;
  }
  cpu::require(mask != nullptr && (state.bytes == 0 || (items != nullptr && out != nullptr)),
               "the items have no data");
  const auto count = static_cast<std::uint32_t>(state.count);
  launch(widenFlags, {blocksFor(count, kFlagThreads), kFlagThreads, 0, stream}, mask, count,
         state.flags.data());
  if (isVector(state.bytes, items, out))
    return state.compactor->run(state.flags.data(), {items, static_cast<unsigned>(state.bytes)}, out, kept,
                                stream);
  state.compactor->run(state.flags.data(), state.indices.data(), kept, stream);
  takeItems(items, state.bytes, count, state.indices.data(), count, kept, out, stream);
}

}  // namespace satdof::cuda
