#include <optional>
#include <variant>

#include "cuda/compact/decoupled_lookback.cuh"
#include "library/src/check.h"
#include "library/src/cuda/items.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

namespace {

using single_pass::SinglePass, single_pass::SmallTiles, single_pass::MediumTiles, single_pass::LargeTiles;
using AnyPass = std::variant<SinglePass<SmallTiles>, SinglePass<MediumTiles>, SinglePass<LargeTiles>>;

}  // namespace

struct CompactPlan::State {
  std::size_t count, bytes;
  OnDevice device;
  std::optional<AnyPass> pass;
  DeviceArray<std::uint32_t> indices;  // of the kept items, if withItem() has no type for the items
};

CompactPlan::CompactPlan(std::size_t count, std::size_t bytes) {
  cpu::require(count <= 1u << 30, count, " items: the limit is 2^30 on a device");
  state_ = std::make_unique<State>(State{count, bytes, {}, {}, {}});
  if (count == 0) return;
  const auto number = static_cast<std::uint32_t>(count);
  state_->pass =
      single_pass::withTiles(number, [&]<class Tiles>(Tiles) -> AnyPass { return SinglePass<Tiles>(number); });
  state_->indices = DeviceArray<std::uint32_t>(count);
}
CompactPlan::CompactPlan(CompactPlan&&) noexcept = default;
CompactPlan& CompactPlan::operator=(CompactPlan&&) noexcept = default;
CompactPlan::~CompactPlan() = default;

void CompactPlan::run(const void* items, const std::uint8_t* mask, void* out, std::uint32_t* kept,
                      CUstream_st* stream) {
  State& state = *state_;
  state.device.require();
  cpu::require(kept != nullptr, "kept is null: give device memory for the number of items");
  if (state.count == 0) {
    SATDOF_CUDA(cudaMemsetAsync(kept, 0, sizeof *kept, stream));
    return;
  }
  cpu::require(mask != nullptr && (state.bytes == 0 || (items != nullptr && out != nullptr)), "the items have no data");
  const auto run = [&](auto source, auto* to) {
    std::visit([&](const auto& pass) { pass.enqueue(mask, source, to, kept, stream); }, *state.pass);
  };
  if (withItem(state.bytes, items, out, [&]<class Item>(Item) {
        run(ElementSource<Item>{static_cast<const Item*>(items)}, static_cast<Item*>(out));
      }))
    return;
  run(IndexSource{}, state.indices.data());
  takeItems(items, state.bytes, state.count, state.indices.data(), state.count, kept, out, stream);
}

}  // namespace satdof::cuda
