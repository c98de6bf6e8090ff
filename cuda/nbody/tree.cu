#include "cuda/block/divide.h"
#include "cuda/compact/compactor.h"
#include "cuda/nbody/factories.h"
#include "cuda/nbody/tree_builder.h"
#include "cuda/nbody/walk.cuh"
#include "cuda/runtime/check.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/stage_timer.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kWarps = 4;  // per block
constexpr unsigned kThreads = kWarps * kWarpSize;

// The expected number of groups, 3/2 times the minimum: most groups are not full.
std::uint32_t usualGroups(std::uint32_t bodies) { return bodies / kGroupBodies * 3 / 2 + 1; }

__device__ std::uint32_t warpIndex() { return blockIdx.x * kWarps + threadIdx.x / kWarpSize; }

// Depth-first traversal, one warp per group, with a stack of opened cells in shared memory. Takes the groups
// from `begin` on.
template <bool withPotential>
__global__ void __launch_bounds__(kThreads)
    walkDepthFirst(Tree tree, std::uint32_t begin, float softeningSquared, float4* __restrict__ accelerations) {
  __shared__ Siblings stacks[kWarps][kStackSize];
  __shared__ Staging staging[kWarps];
  const unsigned warp = threadIdx.x / kWarpSize;
  const std::uint32_t groups = *tree.groupCount;
  for (std::uint32_t index = begin + warpIndex(); index < groups; index += gridDim.x * kWarps) {
    Group<withPotential> group(tree, index);
    if (threadIdx.x % kWarpSize == 0) stacks[warp][0] = Siblings(0, 1);
    __syncwarp();
    group.descend(tree, softeningSquared, stacks[warp], 1, staging[warp]);
    group.store(tree, accelerations);
  }
}

void enqueueDepthFirst(const Tree& tree, std::uint32_t begin, std::uint32_t warps, float softening, bool withPotential,
                       float4* accelerations, CUstream_st* stream) {
  const auto kernel = withPotential ? walkDepthFirst<true> : walkDepthFirst<false>;
  launch(kernel, {blocksFor(warps, kWarps), kThreads, 0, stream}, tree, begin, softening * softening, accelerations);
}

// A cell that a group has opened.
struct Opened {
  std::uint32_t group;  // index in the batch
  Siblings children;
};

// The opened cells of one level of the tree, in the order of groups. Cells beyond the capacity are visited
// depth first.
struct Frontier {
  Opened* opened;
  uint2* ranges;           // per group: begin and end of its cells in `opened`
  std::uint32_t capacity;  // cells that are visited breadth first
};

// Groups that traverse the tree together. The last ones may not exist.
struct Batch {
  std::uint32_t first, groups;

  __device__ bool has(const Tree& tree, std::uint32_t group) const {
    return group < groups && first + group < *tree.groupCount;
  }
};

// The first frontier: the root, for every group.
__global__ void __launch_bounds__(kThreads) openRoot(Tree tree, Batch batch, Frontier frontier) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= batch.groups) return;
  const bool valid = batch.has(tree, i);
  if (valid) frontier.opened[i] = {i, Siblings(0, 1)};
  frontier.ranges[i] = {i, valid ? i + 1 : i};
}

// Visits the children of all opened cells of a level, one warp per group. If child c of cell k is opened,
// flags[8 k + c] = 1 and children[8 k + c] = its children. sums[64 g + b]: field at body b of group g,
// updated.
template <bool withPotential>
__global__ void __launch_bounds__(kThreads)
    visitLevel(Tree tree, Batch batch, Frontier frontier, float softeningSquared, std::uint32_t* __restrict__ flags,
               Siblings* __restrict__ children, float4* __restrict__ sums) {
  __shared__ Siblings stacks[kWarps][kStackSize];
  __shared__ Staging staging[kWarps];
  const std::uint32_t index = warpIndex();
  if (index >= batch.groups) return;
  const unsigned warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const uint2 range = frontier.ranges[index];
  if (range.x == range.y) return;
  Group<withPotential> group(tree, batch.first + index);
  float4* const laneSums = sums + std::size_t{index} * kGroupBodies + lane;
#pragma unroll
  for (unsigned t = 0; t < kTargets; ++t) {
    const float4 sum = laneSums[t * kWarpSize];
    group.fields[t] = Field{sum.x, sum.y, sum.z, sum.w};
  }
  const std::uint32_t fits = min(range.y, frontier.capacity);
  for (std::uint32_t k = range.x; k < fits; k += kParents) {
    const std::uint32_t parent = k + lane / kChildren;
    const bool valid = parent < fits;
    Siblings siblings = frontier.opened[valid ? parent : k].children;
    const unsigned open = group.visit(tree, softeningSquared, siblings, valid, staging[warp]);
    if ((open >> lane & 1) == 0) continue;
    flags[std::size_t{kChildren} * k + lane] = 1;
    children[std::size_t{kChildren} * k + lane] = siblings;
  }
  for (std::uint32_t k = max(range.x, frontier.capacity); k < range.y; ++k) {
    if (lane == 0) stacks[warp][0] = frontier.opened[k].children;
    __syncwarp();
    group.descend(tree, softeningSquared, stacks[warp], 1, staging[warp]);
  }
#pragma unroll
  for (unsigned t = 0; t < kTargets; ++t)
    laneSums[t * kWarpSize] = {group.fields[t].x, group.fields[t].y, group.fields[t].z, group.fields[t].potential};
}

// The next frontier, from the slots of opened cells that the compaction kept. next.ranges must be zero.
__global__ void __launch_bounds__(kThreads)
    gatherOpened(const std::uint32_t* __restrict__ kept, const std::uint32_t* __restrict__ slots,
                 const Opened* __restrict__ parents, const Siblings* __restrict__ children, Frontier next) {
  const std::uint32_t count = *kept;
  for (std::uint32_t k = blockIdx.x * kThreads + threadIdx.x; k < count; k += gridDim.x * kThreads) {
    const std::uint32_t slot = slots[k];
    const std::uint32_t group = parents[slot / kChildren].group;
    next.opened[k] = {group, children[slot]};
    if (k == 0 || parents[slots[k - 1] / kChildren].group != group) next.ranges[group].x = k;
    if (k == count - 1 || parents[slots[k + 1] / kChildren].group != group) next.ranges[group].y = k + 1;
  }
}

// Writes the fields of a batch in the order of the input.
__global__ void __launch_bounds__(kThreads)
    storeSums(Tree tree, Batch batch, const float4* __restrict__ sums, float4* __restrict__ accelerations) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const std::uint32_t group = i / kGroupBodies;
  if (!batch.has(tree, group)) return;
  const std::uint32_t index = batch.first + group;
  const std::uint32_t body = tree.groups[index] + i % kGroupBodies;
  const std::uint32_t end = index + 1 < *tree.groupCount ? tree.groups[index + 1] : tree.count;
  if (body < end) accelerations[tree.order[body]] = sums[i];
}

// A traversal of the tree for all groups. Enqueues on `stream`.
class Walk {
 public:
  virtual ~Walk() = default;
  virtual void run(const Tree& tree, float softening, bool withPotential, float4* accelerations,
                   CUstream_st* stream) = 0;
};

class DepthFirst : public Walk {
 public:
  explicit DepthFirst(const GravityOptions& options) : warps_(usualGroups(options.bodies)) {}
  void run(const Tree& tree, float softening, bool withPotential, float4* accelerations, CUstream_st* stream) override {
    enqueueDepthFirst(tree, 0, warps_, softening, withPotential, accelerations, stream);
  }

 private:
  std::uint32_t warps_;
};

// All groups of a batch open cells level by level; a stream compaction per level collects the opened cells
// (Horn 2005, Billeter et al. 2009). The frontier has room for kOpenedOfGroup cells per group on average.
// Groups beyond usualGroups() are traversed depth first.
class BreadthFirst : public Walk {
 public:
  explicit BreadthFirst(const GravityOptions& options)
      : groups_(usualGroups(options.bodies)),
        batchGroups_(std::min(groups_, kMaxOpened / kOpenedOfGroup)),
        capacity_(batchGroups_ * kOpenedOfGroup),
        flags_(std::size_t{capacity_} * kChildren),
        slots_(flags_.size()),
        kept_(1),
        children_(flags_.size()),
        opened_{DeviceArray<Opened>(flags_.size()), DeviceArray<Opened>(flags_.size())},
        ranges_(batchGroups_),
        sums_(std::size_t{batchGroups_} * kGroupBodies),
        compactor_(makeCompactor(options.compaction, static_cast<std::uint32_t>(flags_.size()), options.scan)) {}

  void run(const Tree& tree, float softening, bool withPotential, float4* accelerations, CUstream_st* stream) override {
    const auto visit = withPotential ? visitLevel<true> : visitLevel<false>;
    for (std::uint32_t first = 0; first < groups_; first += batchGroups_) {
      const Batch batch{first, std::min(batchGroups_, groups_ - first)};
      Frontier frontier{opened_[0].data(), ranges_.data(), capacity_};
      launch(openRoot, {blocksFor(batch.groups, kThreads), kThreads, 0, stream}, tree, batch, frontier);
      SATDOF_CUDA(cudaMemsetAsync(sums_.data(), 0, sums_.bytes(), stream));
      for (unsigned level = 0; level <= kLevels; ++level) {
        SATDOF_CUDA(cudaMemsetAsync(flags_.data(), 0, flags_.bytes(), stream));
        launch(visit, {blocksFor(batch.groups, kWarps), kThreads, 0, stream}, tree, batch, frontier,
               softening * softening, flags_.data(), children_.data(), sums_.data());
        if (level == kLevels) break;
        compactor_->run(flags_.data(), slots_.data(), kept_.data(), stream);
        SATDOF_CUDA(cudaMemsetAsync(ranges_.data(), 0, ranges_.bytes(), stream));
        const Opened* const parents = frontier.opened;
        frontier.opened = opened_[(level + 1) % 2].data();
        launch(gatherOpened, {kGatherBlocks, kThreads, 0, stream}, kept_.data(), slots_.data(), parents,
               children_.data(), frontier);
      }
      launch(storeSums, {blocksFor(batch.groups * kGroupBodies, kThreads), kThreads, 0, stream}, tree, batch,
             sums_.data(), accelerations);
    }
    enqueueDepthFirst(tree, groups_, kWarps * 128, softening, withPotential, accelerations, stream);
  }

 private:
  static constexpr std::uint32_t kMaxOpened = 1 << 20;
  static constexpr std::uint32_t kOpenedOfGroup = 128;
  static constexpr unsigned kGatherBlocks = 1024;

  std::uint32_t groups_, batchGroups_, capacity_;
  DeviceArray<std::uint32_t> flags_, slots_, kept_;
  DeviceArray<Siblings> children_;
  DeviceArray<Opened> opened_[2];
  DeviceArray<uint2> ranges_;
  DeviceArray<float4> sums_;
  std::unique_ptr<Compactor> compactor_;
};

std::unique_ptr<Walk> makeWalk(const GravityOptions& options) {
  switch (options.traversal) {
    case Traversal::depthFirst:
      return std::make_unique<DepthFirst>(options);
    case Traversal::breadthFirst:
      return std::make_unique<BreadthFirst>(options);
  }
  throw std::runtime_error("unknown traversal " + std::to_string(static_cast<int>(options.traversal)));
}

// Barnes and Hut (1986), with second moments, and one traversal for each group of at most 64 bodies (Barnes
// 1990).
class TreeGravity : public Gravity {
 public:
  explicit TreeGravity(const GravityOptions& options)
      : softening_(options.softening), builder_(options), walk_(makeWalk(options)) {}

  void run(const float4* positions, float4* accelerations, bool withPotential, CUstream_st* stream) override {
    timer_.begin(stream);
    builder_.sortBodies(positions, stream);
    timer_.next(stream);
    builder_.build(stream);
    timer_.next(stream);
    walk_->run(builder_.tree(), softening_, withPotential, accelerations, stream);
    timer_.next(stream);
  }
  std::vector<StageTime> stageTimes() const override { return timer_.times(); }
  size_t runs() const override { return timer_.builds(); }

 private:
  float softening_;
  TreeBuilder builder_;
  std::unique_ptr<Walk> walk_;
  StageTimer timer_{{"sort", "tree", "forces"}};
};

}  // namespace

std::unique_ptr<Gravity> makeTreeGravity(const GravityOptions& options) {
  return std::make_unique<TreeGravity>(options);
}

}  // namespace satdof::cuda
