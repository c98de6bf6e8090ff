#pragma once
#include <cstdint>
#include <memory>

#include "cuda/compact/compactor.h"
#include "cuda/nbody/gravity.h"
#include "cuda/nbody/tree.cuh"
#include "cuda/runtime/device_array.h"
#include "cuda/scan/scan.h"
#include "cuda/sort/sorter.h"

namespace satdof::cuda {

// Builds the octree of a fixed number of bodies:
//   1. sorts the bodies by Morton codes of 63 bits (two sorts of 32 bits);
//   2. counts the nodes that start at each body; a scan of the counts gives the nodes in depth-first order;
//   3. sorts the nodes by level, stably: breadth-first order, in which siblings are consecutive;
//   4. finds the groups by compaction of flags at their first bodies;
//   5. sums moments from the leaves up.
// Without atomics: the same bodies give the same tree.
class TreeBuilder {
 public:
  explicit TreeBuilder(const GravityOptions& options);
  // Step 1, then steps 2 to 5. Both enqueue on `stream` and do not allocate or wait.
  void sortBodies(const float4* positions, CUstream_st* stream);
  void build(CUstream_st* stream);
  // Valid for work on the stream after build().
  Tree tree() const;

 private:
  std::uint32_t bodies_, capacity_;  // capacity_: upper bound of the number of nodes
  float inverseAngle_;
  DeviceArray<float4> partialBounds_, bounds_;
  DeviceArray<std::uint32_t> low_, high_, index_, sortedKeys_, sortedIndex_, order_;
  DeviceArray<float4> sorted_;
  DeviceArray<std::uint64_t> codes_;
  DeviceArray<std::uint32_t> starting_, firstNode_;  // per body
  DeviceArray<std::uint32_t> levels_, starts_, sizes_, names_,
      skips_;                                                            // per node, depth first; names_[i] = i
  DeviceArray<std::uint32_t> sortedLevels_, depthFirst_, breadthFirst_;  // each order's index in the other
  DeviceArray<std::uint32_t> levelBegin_, groupFlags_, groups_, groupCount_;
  DeviceArray<uint2> links_;
  DeviceArray<float4> centres_, moments_, reaches_, boxLow_, boxHigh_;
  std::unique_ptr<Sorter> sorter_, levelSorter_;
  std::unique_ptr<RowScan> scan_;
  std::unique_ptr<Compactor> compactor_;
};

}  // namespace satdof::cuda
