#pragma once
#include "cuda/block/warp.cuh"
#include "cuda/nbody/tree.cuh"

// Shared by both traversals: a warp visits cells for a group of bodies, and sums the field of the cells at
// the bodies.
namespace satdof::cuda {

inline constexpr unsigned kTargets = kGroupBodies / kWarpSize;  // bodies per lane
inline constexpr unsigned kParents = kWarpSize / kChildren;     // cells whose children a warp visits at once

// The bounding box of a group.
struct Box {
  float3 low, high;
};

// Shared memory of a warp: centres, moments and reaches of distant nodes; bodies of a near leaf.
struct Staging {
  float4 nodes[3][kWarpSize];
  float4 bodies[kWarpSize];
};

// The bodies of a group, distributed over the lanes of a warp, and the field at each.
template <bool withPotential>
struct Group {
  std::uint32_t first;  // the first body of this lane; body t is first + t * kWarpSize
  std::uint32_t end;    // the end of the bodies of the group
  float3 targets[kTargets];
  Field fields[kTargets];
  Box box;

  __device__ Group(const Tree& tree, std::uint32_t index)
      : first(tree.groups[index] + threadIdx.x % kWarpSize),
        end(index + 1 < *tree.groupCount ? tree.groups[index + 1] : tree.count) {
    float3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
#pragma unroll
    for (unsigned t = 0; t < kTargets; ++t) {
      const float4 body = tree.bodies[min(first + t * kWarpSize, end - 1)];
      targets[t] = {body.x, body.y, body.z};
      low = {fminf(low.x, body.x), fminf(low.y, body.y), fminf(low.z, body.z)};
      high = {fmaxf(high.x, body.x), fmaxf(high.y, body.y), fmaxf(high.z, body.z)};
    }
    low = {minLanes(low.x), minLanes(low.y), minLanes(low.z)};
    high = {-minLanes(-high.x), -minLanes(-high.y), -minLanes(-high.z)};
    box = {low, high};
  }

  // Whether the distance from the group's box to `centre` exceeds the opening radius. False for the node of a
  // single body of this group: the signs of the differences are exact, so the distance is exactly 0.
  __device__ bool isFar(const float4& centre, float reachSquared) const {
    const float x = fmaxf(fmaxf(box.low.x - centre.x, centre.x - box.high.x), 0.0f),
                y = fmaxf(fmaxf(box.low.y - centre.y, centre.y - box.high.y), 0.0f),
                z = fmaxf(fmaxf(box.low.z - centre.z, centre.z - box.high.z), 0.0f);
    return fmaf(x, x, fmaf(y, y, z * z)) > reachSquared;
  }

  // Visits the children of kParents cells, one child per lane. `siblings`: the children of cell lane / 8;
  // `valid`: whether there is such a cell. Adds the fields of distant nodes and of the bodies in near leaves.
  // Returns one bit per lane: its node is near and has children, and `siblings` now are these children.
  __device__ unsigned visit(const Tree& tree, float softeningSquared, Siblings& siblings, bool valid,
                            Staging& staging) {
    const unsigned lane = threadIdx.x % kWarpSize;
    valid = valid && lane % kChildren < siblings.count();
    float4 centre, reach;
    uint2 link{0, 0};
    bool far = false;
    const std::uint32_t node = siblings.first() + lane % kChildren;
    if (valid) {
      centre = tree.centres[node];
      reach = tree.reaches[node];
      link = tree.links[node];
      far = isFar(centre, reach.w);
    }
    const unsigned distant = __ballot_sync(kAllLanes, valid && far);
    const unsigned leaves = __ballot_sync(kAllLanes, valid && !far && (link.y & kLeaf) != 0);
    const unsigned open = __ballot_sync(kAllLanes, valid && !far && (link.y & kLeaf) == 0);
    if (valid && far) {
      const unsigned place = __popc(distant & ((1u << lane) - 1));
      staging.nodes[0][place] = centre;
      staging.nodes[1][place] = tree.moments[node];
      staging.nodes[2][place] = reach;
    }
    __syncwarp();
    const unsigned count = __popc(distant);
    for (unsigned n = 0; n < count; ++n) {
#pragma unroll
      for (unsigned t = 0; t < kTargets; ++t)
        addNode<withPotential>(fields[t], targets[t], staging.nodes[0][n], staging.nodes[1][n], staging.nodes[2][n],
                               softeningSquared);
    }
    for (unsigned rest = leaves; rest != 0; rest &= rest - 1) {
      const unsigned owner = __ffs(rest) - 1;
      addLeaf(tree, softeningSquared, __shfl_sync(kAllLanes, link.x, owner),
              __shfl_sync(kAllLanes, link.y, owner) & ~kLeaf, staging.bodies);
    }
    __syncwarp();
    siblings = Siblings(link.x, link.y);
    return open;
  }

  // Adds the fields of the bodies [begin, begin + count).
  __device__ void addLeaf(const Tree& tree, float softeningSquared, std::uint32_t begin, std::uint32_t count,
                          float4* staged) {
    constexpr unsigned kStep = 4;
    const unsigned lane = threadIdx.x % kWarpSize;
    for (std::uint32_t done = 0; done < count; done += kWarpSize) {
      const unsigned some = min(count - done, kWarpSize);
      __syncwarp();
      staged[lane] = lane < some ? tree.bodies[begin + done + lane] : float4{0.0f, 0.0f, 0.0f, 0.0f};
      __syncwarp();
      for (unsigned j = 0; j < some; j += kStep)
#pragma unroll
        for (unsigned u = 0; u < kStep; ++u)
#pragma unroll
          for (unsigned t = 0; t < kTargets; ++t)
            addField<Masses::general, withPotential>(fields[t], targets[t], staged[j + u], softeningSquared,
                                                     begin + done + j + u == first + t * kWarpSize);
    }
  }

  // Visits all descendants of the cells whose children are the first `size` entries of the stack.
  __device__ void descend(const Tree& tree, float softeningSquared, Siblings* stack, unsigned size, Staging& staging) {
    const unsigned lane = threadIdx.x % kWarpSize;
    while (size > 0) {
      const unsigned taken = min(size, kParents);
      size -= taken;
      const bool valid = lane / kChildren < taken;
      Siblings siblings = stack[size + (valid ? lane / kChildren : 0)];
      const unsigned open = visit(tree, softeningSquared, siblings, valid, staging);
      if (open >> lane & 1) stack[size + __popc(open & ((1u << lane) - 1))] = siblings;
      size += __popc(open);
      __syncwarp();
    }
  }

  __device__ void store(const Tree& tree, float4* accelerations) const {
#pragma unroll
    for (unsigned t = 0; t < kTargets; ++t)
      if (first + t * kWarpSize < end)
        accelerations[tree.order[first + t * kWarpSize]] = {fields[t].x, fields[t].y, fields[t].z, fields[t].potential};
  }
};

// Each level has at most 32 entries on the stack: a visit pushes at most 32, and later visits take 4 at a
// time.
inline constexpr unsigned kStackSize = kWarpSize * (kLevels + 1);

}  // namespace satdof::cuda
