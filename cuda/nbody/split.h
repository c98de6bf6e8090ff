#pragma once
#include <algorithm>
#include <cstdint>

namespace satdof::cuda {

// The pairs of all bodies in pieces, a piece a block: the targets in groups, the sources in chunks.
struct PairSplit {
  std::uint32_t groups;     // of targets
  std::uint32_t chunks;     // of sources
  std::uint32_t chunkSize;  // sources of a chunk; the last chunk may hold fewer

  std::uint32_t blocks() const { return groups * chunks; }
};

// The split of the least estimated time on a device that runs `resident` blocks at once. Every chunk costs a
// partial sum in memory, so there are at most `maximalChunks`, of `step` sources or a multiple.
constexpr PairSplit splitPairs(std::uint32_t bodies, std::uint32_t groupSize, std::uint32_t resident,
                               std::uint32_t step = 32, std::uint32_t maximalChunks = 64) {
  const auto dividedBy = [](std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; };
  const std::uint64_t groups = dividedBy(bodies, groupSize);
  constexpr std::uint64_t kCostOfSum = 4;  // sources as costly as one partial sum of a target
  PairSplit best{};
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t wanted = 1; wanted <= maximalChunks; ++wanted) {
    const std::uint64_t size = dividedBy(dividedBy(bodies, wanted), step) * step;
    const std::uint64_t chunks = dividedBy(bodies, size);
    const std::uint64_t waves = dividedBy(groups * chunks, resident);
    const std::uint64_t cost = waves * size + chunks * kCostOfSum * dividedBy(groups, resident);
    if (cost >= least) continue;
    least = cost;
    best = {static_cast<std::uint32_t>(groups), static_cast<std::uint32_t>(chunks),
            static_cast<std::uint32_t>(size)};
  }
  return best;
}

}  // namespace satdof::cuda
