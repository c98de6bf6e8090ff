#include "cuda/nbody/tree_builder.h"

#include <cmath>

#include "cuda/block/divide.h"
#include "cuda/block/warp.cuh"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/launch.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBoundsBlocks = 256;

__device__ float4 lowest(float4 a, float4 b) { return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), 0}; }
__device__ float4 highest(float4 a, float4 b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), 0}; }

// The componentwise minimum of `low` and maximum of `high` over the block, in every thread.
__device__ void boundBlock(float4& low, float4& high) {
  __shared__ float4 lows[kThreads], highs[kThreads];
  lows[threadIdx.x] = low;
  highs[threadIdx.x] = high;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      lows[threadIdx.x] = lowest(lows[threadIdx.x], lows[threadIdx.x + half]);
      highs[threadIdx.x] = highest(highs[threadIdx.x], highs[threadIdx.x + half]);
    }
    __syncthreads();
  }
  low = lows[0];
  high = highs[0];
}

// partial[2 b], partial[2 b + 1] = lowest and highest coordinates of the bodies of block b.
__global__ void __launch_bounds__(kThreads)
    boundBodies(const float4* __restrict__ positions, std::uint32_t bodies, float4* __restrict__ partial) {
  float4 low = positions[0], high = low;
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < bodies; i += kBoundsBlocks * kThreads) {
    low = lowest(low, positions[i]);
    high = highest(high, positions[i]);
  }
  boundBlock(low, high);
  if (threadIdx.x != 0) return;
  partial[2 * blockIdx.x] = low;
  partial[2 * blockIdx.x + 1] = high;
}

// bounds = {lowest corner of all bodies, cells of the last level per unit of length}.
__global__ void __launch_bounds__(kThreads) boundAll(const float4* __restrict__ partial, float4* __restrict__ bounds) {
  static_assert(kBoundsBlocks == kThreads);
  float4 low = partial[2 * threadIdx.x], high = partial[2 * threadIdx.x + 1];
  boundBlock(low, high);
  const float side = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
  constexpr float kMinSide = 1e-30f;
  if (threadIdx.x == 0)
    *bounds = {low.x, low.y, low.z, side > kMinSide ? static_cast<float>(1u << kLevels) / side : 0.0f};
}

// The 21 low bits of x, with two zero bits between them.
__device__ std::uint64_t spread(std::uint32_t x) {
  std::uint64_t s = x;
  s = (s | s << 32) & 0x001f00000000ffffu;
  s = (s | s << 16) & 0x001f0000ff0000ffu;
  s = (s | s << 8) & 0x100f00f00f00f00fu;
  s = (s | s << 4) & 0x10c30c30c30c30c3u;
  return (s | s << 2) & 0x1249249249249249u;
}

__device__ std::uint32_t cellOf(float coordinate, float low, float scale) {
  return min(static_cast<std::uint32_t>((coordinate - low) * scale), (1u << kLevels) - 1);
}

__device__ std::uint64_t mortonCode(float4 position, float4 bounds) {
  return spread(cellOf(position.x, bounds.x, bounds.w)) << 2 | spread(cellOf(position.y, bounds.y, bounds.w)) << 1 |
         spread(cellOf(position.z, bounds.z, bounds.w));
}

// Morton codes in two words, and the index of each body.
__global__ void __launch_bounds__(kThreads)
    encode(const float4* __restrict__ positions, std::uint32_t bodies, const float4* __restrict__ bounds,
           std::uint32_t* __restrict__ low, std::uint32_t* __restrict__ high, std::uint32_t* __restrict__ index) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies) return;
  const std::uint64_t code = mortonCode(positions[i], *bounds);
  low[i] = static_cast<std::uint32_t>(code);
  high[i] = static_cast<std::uint32_t>(code >> 32);
  index[i] = i;
}

// out[i] = in[index[i]]
__global__ void __launch_bounds__(kThreads)
    gather(const std::uint32_t* __restrict__ in, const std::uint32_t* __restrict__ index, std::uint32_t count,
           std::uint32_t* __restrict__ out) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) out[i] = in[index[i]];
}

// Bodies and Morton codes in Morton order.
__global__ void __launch_bounds__(kThreads)
    gatherBodies(const float4* __restrict__ positions, const std::uint32_t* __restrict__ order, std::uint32_t bodies,
                 const float4* __restrict__ bounds, float4* __restrict__ sorted, std::uint64_t* __restrict__ codes) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies) return;
  const float4 position = positions[order[i]];
  sorted[i] = position;
  codes[i] = mortonCode(position, *bounds);
}

// The deepest level whose cell holds both codes.
__device__ int commonLevel(std::uint64_t a, std::uint64_t b) {
  return (__clzll(static_cast<long long>(a ^ b)) - 1) / 3;
}

// starting[i] = the number of nodes whose first body is i; starting[bodies] = 0. These nodes have consecutive
// levels. The highest is one level below the deepest cell that body i shares with body i - 1. The deepest is
// the leaf of body i: since a cell with more than kLeafBodies bodies has children, the leaf is one level
// below the deepest common cell of any kLeafBodies + 1 consecutive bodies that include i.
__global__ void __launch_bounds__(kThreads)
    countNodes(const std::uint64_t* __restrict__ codes, std::uint32_t bodies, std::uint32_t* __restrict__ starting) {
  __shared__ int windows[kThreads + kLeafBodies];  // commonLevel() of bodies j and j + kLeafBodies
  const long long block = static_cast<long long>(blockIdx.x) * kThreads;
  for (unsigned k = threadIdx.x; k < kThreads + kLeafBodies; k += kThreads) {
    const long long j = block + k - kLeafBodies;
    windows[k] = j >= 0 && j + kLeafBodies < bodies ? commonLevel(codes[j], codes[j + kLeafBodies]) : -1;
  }
  __syncthreads();
  const std::uint32_t i = static_cast<std::uint32_t>(block) + threadIdx.x;
  if (i > bodies) return;
  if (i == bodies) {
    starting[i] = 0;
    return;
  }
  int deepest = -1;
#pragma unroll
  for (unsigned k = 0; k <= kLeafBodies; ++k) deepest = max(deepest, windows[threadIdx.x + k]);
  const int shared = i == 0 ? -1 : commonLevel(codes[i - 1], codes[i]);
  starting[i] = static_cast<std::uint32_t>(max(0, min(deepest + 1, static_cast<int>(kLevels)) - shared));
}

// Writes level and first body of every node, in depth-first order. firstNode: exclusive scan of `starting`.
__global__ void __launch_bounds__(kThreads)
    emitNodes(const std::uint64_t* __restrict__ codes, std::uint32_t bodies,
              const std::uint32_t* __restrict__ firstNode, std::uint32_t* __restrict__ levels,
              std::uint32_t* __restrict__ starts) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies) return;
  const std::uint32_t first = firstNode[i], end = firstNode[i + 1];
  if (first == end) return;
  const std::uint32_t level = i == 0 ? 0 : static_cast<std::uint32_t>(commonLevel(codes[i - 1], codes[i]) + 1);
  for (std::uint32_t node = first; node < end; ++node) {
    levels[node] = level + node - first;
    starts[node] = i;
  }
}

// numbers[i] = i.
__global__ void __launch_bounds__(kThreads) countUp(std::uint32_t* __restrict__ numbers, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) numbers[i] = i;
}

// begin[l] = the first node, in breadth-first order, of level l or deeper. One block, one thread per level;
// binary search.
__global__ void findLevels(const std::uint32_t* __restrict__ sortedLevels, const std::uint32_t* __restrict__ nodes,
                           std::uint32_t* __restrict__ begin) {
  std::uint32_t low = 0, high = *nodes;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (sortedLevels[middle] < threadIdx.x)
      low = middle + 1;
    else
      high = middle;
  }
  begin[threadIdx.x] = low;
}

// The first body after `start` outside the cell of `start` at `level`: exponential, then binary search.
__device__ std::uint32_t endOfCell(const std::uint64_t* codes, std::uint32_t bodies, std::uint32_t start,
                                   std::uint32_t level) {
  const unsigned shift = 3 * (kLevels - level);
  const std::uint64_t cell = codes[start] >> shift;
  std::uint32_t low = start + 1, step = 1;
  while (low < bodies && codes[low] >> shift == cell) {
    low += step;
    step *= 2;
  }
  std::uint32_t high = min(low, bodies);
  low = low - step / 2 + 1;
  if (step == 1) return high;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (codes[middle] >> shift == cell)
      low = middle + 1;
    else
      high = middle;
  }
  return high;
}

// One thread per node, in breadth-first order. depthFirst[node]: its index in depth-first order. Writes, by
// depth-first index, the breadth-first index, the node that follows the node's descendants, and the number of
// bodies; and links as if every node were a leaf.
__global__ void __launch_bounds__(kThreads)
    placeNodes(const std::uint64_t* __restrict__ codes, std::uint32_t bodies,
               const std::uint32_t* __restrict__ firstNode, const std::uint32_t* __restrict__ sortedLevels,
               const std::uint32_t* __restrict__ depthFirst, const std::uint32_t* __restrict__ starts,
               std::uint32_t* __restrict__ breadthFirst, std::uint32_t* __restrict__ skips,
               std::uint32_t* __restrict__ sizes, uint2* __restrict__ links) {
  const std::uint32_t nodes = firstNode[bodies];
  for (std::uint32_t node = blockIdx.x * kThreads + threadIdx.x; node < nodes; node += gridDim.x * kThreads) {
    const std::uint32_t place = depthFirst[node];
    const std::uint32_t start = starts[place];
    const std::uint32_t end = endOfCell(codes, bodies, start, sortedLevels[node]);
    breadthFirst[place] = node;
    skips[place] = firstNode[end];
    sizes[place] = end - start;
    links[node] = {start, (end - start) | kLeaf};
  }
}

// Sets the flags of the first bodies of the groups of a cell: as few groups as possible, of nearly equal
// size.
__device__ void markGroups(std::uint32_t start, std::uint32_t size, std::uint32_t* flags) {
  const std::uint32_t groups = (size + kGroupBodies - 1) / kGroupBodies;
  const std::uint32_t step = (size + groups - 1) / groups;
  for (std::uint32_t i = 0; i < size; i += step) flags[start + i] = 1;
}

// Links each cell that has children to its children. Splits the largest cells of at most kGroupCell bodies
// into groups: a group of consecutive bodies from several cells could cross a jump of the Morton curve, and
// would then have a large box and open most of the tree in one warp.
__global__ void __launch_bounds__(kThreads)
    linkChildren(const std::uint32_t* __restrict__ nodeCount, const std::uint32_t* __restrict__ depthFirst,
                 const std::uint32_t* __restrict__ breadthFirst, const std::uint32_t* __restrict__ skips,
                 const std::uint32_t* __restrict__ starts, const std::uint32_t* __restrict__ sizes,
                 uint2* __restrict__ links, std::uint32_t* __restrict__ groupFlags) {
  const std::uint32_t nodes = *nodeCount;
  for (std::uint32_t node = blockIdx.x * kThreads + threadIdx.x; node < nodes; node += gridDim.x * kThreads) {
    const std::uint32_t place = depthFirst[node], end = skips[place];
    const auto holdsGroups = [&](std::uint32_t cell) { return sizes[cell] <= kGroupCell || skips[cell] == cell + 1; };
    if (place == 0 && holdsGroups(place)) markGroups(0, sizes[place], groupFlags);
    if (end == place + 1) continue;
    std::uint32_t children = 0;
    for (std::uint32_t child = place + 1; child < end; child = skips[child]) {
      if (!holdsGroups(place) && holdsGroups(child)) markGroups(starts[child], sizes[child], groupFlags);
      ++children;
    }
    links[node] = {breadthFirst[place + 1], children};
  }
}

// Outputs per node: as in Tree, and the bounding box of the bodies.
struct NodeArrays {
  float4 *centres, *moments, *reaches, *boxLow, *boxHigh;
};

// Q = sum of m x x^T.
struct SecondMoments {
  float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  __device__ void add(float x, float y, float z, float mass) {
    xx = fmaf(mass * x, x, xx);
    xy = fmaf(mass * x, y, xy);
    xz = fmaf(mass * x, z, xz);
    yy = fmaf(mass * y, y, yy);
    yz = fmaf(mass * y, z, yz);
    zz = fmaf(mass * z, z, zz);
  }
};

// {centre of mass, mass} from `sum` = {sum of m x, sum of m y, sum of m z, sum of m}, with positions relative
// to the middle of the box. The middle itself if the mass is 0.
__device__ float4 centreOf(const float4& sum, const float4& low, const float4& high) {
  const float over = sum.w > 0 ? 1 / sum.w : 0;
  return {fmaf(sum.x, over, low.x + (high.x - low.x) / 2), fmaf(sum.y, over, low.y + (high.y - low.y) / 2),
          fmaf(sum.z, over, low.z + (high.z - low.z) / 2), sum.w};
}

// Writes a node. Its opening radius is longest side / opening angle + distance of the centre of mass from the
// middle of the box (Barnes 1994).
__device__ void storeNode(const NodeArrays& to, std::uint32_t node, const float4& centre, const SecondMoments& q,
                          const float4& low, const float4& high, float inverseAngle) {
  const float dx = centre.x - (low.x + (high.x - low.x) / 2), dy = centre.y - (low.y + (high.y - low.y) / 2),
              dz = centre.z - (low.z + (high.z - low.z) / 2);
  const float side = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
  const float radius = (side > 0 ? side * inverseAngle : 0.0f) + sqrtf(dx * dx + dy * dy + dz * dz);
  to.centres[node] = centre;
  to.moments[node] = {3 * q.xx, 3 * q.xy, 3 * q.xz, 3 * q.yy};
  to.reaches[node] = {3 * q.yz, 3 * q.zz, 1.5f * (q.xx + q.yy + q.zz), radius * radius};
  to.boxLow[node] = low;
  to.boxHigh[node] = high;
}

// Box, centre of mass and second moments of every leaf, one warp per leaf.
__global__ void __launch_bounds__(kThreads)
    summariseLeaves(const float4* __restrict__ bodies, const std::uint32_t* __restrict__ nodeCount,
                    const uint2* __restrict__ links, float inverseAngle, NodeArrays to) {
  const std::uint32_t nodes = *nodeCount;
  const unsigned lane = threadIdx.x % kWarpSize;
  for (std::uint32_t node = (blockIdx.x * kThreads + threadIdx.x) / kWarpSize; node < nodes;
       node += gridDim.x * (kThreads / kWarpSize)) {
    const uint2 link = links[node];
    if ((link.y & kLeaf) == 0) continue;
    const std::uint32_t begin = link.x, end = begin + (link.y & ~kLeaf);
    float4 low = bodies[begin], high = low;
    for (std::uint32_t i = begin + lane; i < end; i += kWarpSize) {
      low = lowest(low, bodies[i]);
      high = highest(high, bodies[i]);
    }
    low = {minLanes(low.x), minLanes(low.y), minLanes(low.z), 0};
    high = {maxLanes(high.x), maxLanes(high.y), maxLanes(high.z), 0};
    const float4 middle = centreOf({0, 0, 0, 0}, low, high);
    float4 sum{0, 0, 0, 0};
    for (std::uint32_t i = begin + lane; i < end; i += kWarpSize) {
      const float4 body = bodies[i];
      sum.x = fmaf(body.w, body.x - middle.x, sum.x);
      sum.y = fmaf(body.w, body.y - middle.y, sum.y);
      sum.z = fmaf(body.w, body.z - middle.z, sum.z);
      sum.w += body.w;
    }
    const float4 centre = centreOf({sumLanes(sum.x), sumLanes(sum.y), sumLanes(sum.z), sumLanes(sum.w)}, low, high);
    SecondMoments q;
    for (std::uint32_t i = begin + lane; i < end; i += kWarpSize) {
      const float4 body = bodies[i];
      q.add(body.x - centre.x, body.y - centre.y, body.z - centre.z, body.w);
    }
    q = {sumLanes(q.xx), sumLanes(q.xy), sumLanes(q.xz), sumLanes(q.yy), sumLanes(q.yz), sumLanes(q.zz)};
    if (lane == 0) storeNode(to, node, centre, q, low, high, inverseAngle);
  }
}

// The same for cells with children, from their children: one launch per level, from the deepest up, one
// thread per cell. Second moments add up by the parallel axis theorem.
__global__ void __launch_bounds__(kThreads)
    summariseCells(const std::uint32_t* __restrict__ levelBegin, unsigned level, const uint2* __restrict__ links,
                   float inverseAngle, NodeArrays to) {
  const std::uint32_t end = levelBegin[level + 1];
  for (std::uint32_t node = levelBegin[level] + blockIdx.x * kThreads + threadIdx.x; node < end;
       node += gridDim.x * kThreads) {
    const uint2 link = links[node];
    if ((link.y & kLeaf) != 0) continue;
    float4 low = to.boxLow[link.x], high = to.boxHigh[link.x];
    for (std::uint32_t c = link.x + 1; c < link.x + link.y; ++c) {
      low = lowest(low, to.boxLow[c]);
      high = highest(high, to.boxHigh[c]);
    }
    const float4 middle = centreOf({0, 0, 0, 0}, low, high);
    float4 sum{0, 0, 0, 0};
    for (std::uint32_t c = link.x; c < link.x + link.y; ++c) {
      const float4 child = to.centres[c];
      sum.x = fmaf(child.w, child.x - middle.x, sum.x);
      sum.y = fmaf(child.w, child.y - middle.y, sum.y);
      sum.z = fmaf(child.w, child.z - middle.z, sum.z);
      sum.w += child.w;
    }
    const float4 centre = centreOf(sum, low, high);
    SecondMoments q;
    for (std::uint32_t c = link.x; c < link.x + link.y; ++c) {
      const float4 child = to.centres[c], moments = to.moments[c], reach = to.reaches[c];
      constexpr float kThird = 1.0f / 3.0f;
      q.xx += moments.x * kThird;
      q.xy += moments.y * kThird;
      q.xz += moments.z * kThird;
      q.yy += moments.w * kThird;
      q.yz += reach.x * kThird;
      q.zz += reach.y * kThird;
      q.add(child.x - centre.x, child.y - centre.y, child.z - centre.z, child.w);
    }
    storeNode(to, node, centre, q, low, high, inverseAngle);
  }
}

// An upper bound of the number of nodes: each leaf has a body, and each level has at most bodies /
// (kLeafBodies + 1) cells with children.
std::uint32_t mostNodes(std::uint32_t bodies) { return bodies + kLevels * (bodies / (kLeafBodies + 1)) + 1; }

}  // namespace

TreeBuilder::TreeBuilder(const GravityOptions& options)
    : bodies_(options.bodies),
      capacity_(mostNodes(bodies_)),
      inverseAngle_(options.openingAngle > 0 ? 1 / options.openingAngle : INFINITY),
      partialBounds_(2 * kBoundsBlocks),
      bounds_(1),
      low_(bodies_),
      high_(bodies_),
      index_(bodies_),
      sortedKeys_(bodies_),
      sortedIndex_(bodies_),
      order_(bodies_),
      sorted_(bodies_),
      codes_(bodies_),
      starting_(bodies_ + 1),
      firstNode_(bodies_ + 1),
      levels_(capacity_),
      starts_(capacity_),
      sizes_(capacity_),
      names_(capacity_),
      skips_(capacity_),
      sortedLevels_(capacity_),
      depthFirst_(capacity_),
      breadthFirst_(capacity_),
      levelBegin_(kLevels + 2),
      groupFlags_(bodies_),
      groups_(bodies_),
      groupCount_(1),
      links_(capacity_),
      centres_(capacity_),
      moments_(capacity_),
      reaches_(capacity_),
      boxLow_(capacity_),
      boxHigh_(capacity_),
      sorter_(makeSorter(options.sort, bodies_, options.scan)),
      levelSorter_(makeSorter(options.sort, capacity_, options.scan)),
      scan_(makeRowScan(
          {.scan = options.scan, .inclusive = false, .length = bodies_ + 1, .pitch = rowPitch(bodies_ + 1)})),
      compactor_(makeCompactor(options.compaction, bodies_, options.scan)) {
  launch(countUp, {blocksFor(capacity_, kThreads), kThreads}, names_.data(), capacity_);
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));  // run() may use a stream that does not wait for this one
}

void TreeBuilder::sortBodies(const float4* positions, CUstream_st* stream) {
  const unsigned blocks = blocksFor(bodies_, kThreads);
  launch(boundBodies, {kBoundsBlocks, kThreads, 0, stream}, positions, bodies_, partialBounds_.data());
  launch(boundAll, {1, kThreads, 0, stream}, partialBounds_.data(), bounds_.data());
  launch(encode, {blocks, kThreads, 0, stream}, positions, bodies_, bounds_.data(), low_.data(), high_.data(),
         index_.data());
  sorter_->run({low_.data(), index_.data()}, {sortedKeys_.data(), sortedIndex_.data()}, stream);
  launch(gather, {blocks, kThreads, 0, stream}, high_.data(), sortedIndex_.data(), bodies_, low_.data());
  sorter_->run({low_.data(), sortedIndex_.data()}, {sortedKeys_.data(), order_.data()}, stream);
  launch(gatherBodies, {blocks, kThreads, 0, stream}, positions, order_.data(), bodies_, bounds_.data(), sorted_.data(),
         codes_.data());
}

void TreeBuilder::build(CUstream_st* stream) {
  const unsigned resident = device().multiprocessors * 8;
  const std::uint32_t* const nodeCount = firstNode_.data() + bodies_;
  launch(countNodes, {blocksFor(std::uint64_t{bodies_} + 1, kThreads), kThreads, 0, stream}, codes_.data(), bodies_,
         starting_.data());
  scan_->run(starting_.data(), firstNode_.data(), stream);
  SATDOF_CUDA(cudaMemsetAsync(levels_.data(), 0xff, levels_.bytes(), stream));
  launch(emitNodes, {blocksFor(bodies_, kThreads), kThreads, 0, stream}, codes_.data(), bodies_, firstNode_.data(),
         levels_.data(), starts_.data());
  levelSorter_->run({levels_.data(), names_.data()}, {sortedLevels_.data(), depthFirst_.data()}, stream);
  launch(findLevels, {1, kLevels + 2, 0, stream}, sortedLevels_.data(), nodeCount, levelBegin_.data());
  launch(placeNodes, {resident, kThreads, 0, stream}, codes_.data(), bodies_, firstNode_.data(), sortedLevels_.data(),
         depthFirst_.data(), starts_.data(), breadthFirst_.data(), skips_.data(), sizes_.data(), links_.data());
  SATDOF_CUDA(cudaMemsetAsync(groupFlags_.data(), 0, groupFlags_.bytes(), stream));
  launch(linkChildren, {resident, kThreads, 0, stream}, nodeCount, depthFirst_.data(), breadthFirst_.data(),
         skips_.data(), starts_.data(), sizes_.data(), links_.data(), groupFlags_.data());
  compactor_->run(groupFlags_.data(), groups_.data(), groupCount_.data(), stream);
  const NodeArrays nodes{centres_.data(), moments_.data(), reaches_.data(), boxLow_.data(), boxHigh_.data()};
  launch(summariseLeaves, {resident, kThreads, 0, stream}, sorted_.data(), nodeCount, links_.data(), inverseAngle_,
         nodes);
  for (unsigned level = kLevels; level-- > 0;) {
    launch(summariseCells, {device().multiprocessors, kThreads, 0, stream}, levelBegin_.data(), level, links_.data(),
           inverseAngle_, nodes);
  }
}

Tree TreeBuilder::tree() const {
  return {centres_.data(), moments_.data(), reaches_.data(), links_.data(),     sorted_.data(),
          order_.data(),   bodies_,         groups_.data(),  groupCount_.data()};
}

}  // namespace satdof::cuda
