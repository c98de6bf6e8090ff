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

// Builds the tree of a fixed number of bodies: Morton codes of 63 bits, sorted; one scan that counts the nodes
// starting at each body; nodes in depth-first order; a sort by level, which makes siblings consecutive; groups
// of bodies by compaction of their first; moments from the leaves up. No atomics: the same bodies give the same
// tree.
class TreeBuilder {
 public:
  explicit TreeBuilder(const GravityOptions& options);
  // Enqueues on `stream`. Do not allocate or wait. Call in this order.
  void sortBodies(const float4* positions, CUstream_st* stream);
  void build(CUstream_st* stream);
  // Valid after build() on the stream.
  Tree tree() const;

 private:
  std::uint32_t bodies_, capacity_;  // of nodes
  float inverseAngle_;
  DeviceArray<float4> partialBounds_, bounds_;
  DeviceArray<std::uint32_t> low_, high_, index_, sortedKeys_, sortedIndex_, order_;
  DeviceArray<float4> sorted_;
  DeviceArray<std::uint64_t> codes_;
  DeviceArray<std::uint32_t> starting_, firstNode_;                      // of each body
  DeviceArray<std::uint32_t> levels_, starts_, sizes_, names_, skips_;   // depth first
  DeviceArray<std::uint32_t> sortedLevels_, depthFirst_, breadthFirst_;  // the two orders of each other
  DeviceArray<std::uint32_t> levelBegin_, groupFlags_, groups_, groupCount_;
  DeviceArray<uint2> links_;
  DeviceArray<float4> centres_, moments_, reaches_, boxLow_, boxHigh_;
  std::unique_ptr<Sorter> sorter_, levelSorter_;
  std::unique_ptr<RowScan> scan_;
  std::unique_ptr<Compactor> compactor_;
};

}  // namespace satdof::cuda
