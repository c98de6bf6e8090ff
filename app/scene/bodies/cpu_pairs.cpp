#include <algorithm>
#include <cmath>

#include "app/scene/bodies/block.h"
#include "app/scene/bodies/cpu_solver.h"

namespace satdof {

namespace {

constexpr int kTile = 2048;  // sources that stay in the L1 cache while kTaskBlocks blocks read them
constexpr int kTaskBlocks = 4;

// All pairs: blocks of targets in registers, tiles of sources in the cache. O(n^2).
void allPairs(BodyArrays& b, const BodiesSettings& settings, ThreadPool& pool) {
  const Sources sources{b.x.data(), b.y.data(), b.z.data(), b.mass.data()};
  const float softening2 = settings.softening * settings.softening;
  constexpr int kTaskBodies = kTaskBlocks * kBlockBodies;
  pool.forEach((b.count + kTaskBodies - 1) / kTaskBodies, [&](int task) {
    Block blocks[kTaskBlocks];
    const int first = task * kTaskBodies;
    for (int k = 0; k < kTaskBlocks; ++k)
      blocks[k] = blockOf(sources, static_cast<std::size_t>(first + k * kBlockBodies), b.x.size());
    for (int from = 0; from < b.count; from += kTile)
      for (int k = 0; k < kTaskBlocks; ++k)
        addBodies(blocks[k], sources, from, std::min(from + kTile, b.count), first + k * kBlockBodies, softening2);
    for (int k = 0; k < kTaskBlocks; ++k)
      for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
        const auto i = static_cast<std::size_t>(first + k * kBlockBodies) + lane;
        if (i >= b.x.size()) return;
        b.ax[i] = blocks[k].ax[lane], b.ay[i] = blocks[k].ay[lane], b.az[i] = blocks[k].az[lane];
        b.potential[i] = blocks[k].potential[lane];
      }
  });
}

}  // namespace

CpuGravity pairsGravity() { return allPairs; }

std::unique_ptr<Solver> makeCpuPairsSolver(const BodiesSettings& settings) {
  return makeCpuSolver(settings.count, threadsFor(std::pow(settings.count, 2)), "gravity", pairsGravity());
}

}  // namespace satdof
