#pragma once
#include <algorithm>
#include <cstdint>

#include "cuda/block/divide.h"

namespace satdof::cuda {

// All pairs of bodies, divided among blocks: targets in groups, sources in chunks, one block per group and
// chunk.
struct PairSplit {
  std::uint32_t groups;     // of targets
  std::uint32_t chunks;     // of sources
  std::uint32_t chunkSize;  // sources of a chunk; the last chunk may hold fewer

  std::uint32_t blocks() const { return groups * chunks; }
};

// The split with the least estimated time on a device with `resident` blocks at once. The chunk size is a
// multiple of `step`. Every chunk adds a partial sum per target in memory, so there are at most
// `maximalChunks` chunks. Estimate, in sources per block:
//   waves * chunkSize + 4 * chunks * ceil(groups / resident), with waves = ceil(groups * chunks / resident).
constexpr PairSplit splitPairs(std::uint32_t bodies, std::uint32_t groupSize, std::uint32_t resident,
                               std::uint32_t step = 32, std::uint32_t maximalChunks = 64) {
  const auto groups = ceilDivide<std::uint64_t>(bodies, groupSize);
  constexpr std::uint64_t kCostOfSum = 4;  // a partial sum of a target costs as much as this many sources
  PairSplit best{};
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t wanted = 1; wanted <= maximalChunks; ++wanted) {
    const auto size = ceilDivide<std::uint64_t>(ceilDivide<std::uint64_t>(bodies, wanted), step) * step;
    const auto chunks = ceilDivide<std::uint64_t>(bodies, size);
    const auto waves = ceilDivide<std::uint64_t>(groups * chunks, resident);
    const auto cost = waves * size + chunks * kCostOfSum * ceilDivide<std::uint64_t>(groups, resident);
    if (cost >= least) continue;
    least = cost;
    best = {static_cast<std::uint32_t>(groups), static_cast<std::uint32_t>(chunks), static_cast<std::uint32_t>(size)};
  }
  return best;
}

}  // namespace satdof::cuda
