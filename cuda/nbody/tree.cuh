#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/nbody/pair.cuh"

namespace satdof::cuda {

inline constexpr unsigned kLevels = 21;           // levels below the root: 21 bits of each coordinate
inline constexpr unsigned kLeafBodies = 32;       // cells with more bodies have children, except at the last level
inline constexpr unsigned kChildren = 8;          // at most, per cell
inline constexpr unsigned kGroupBodies = 64;      // at most, per group: two per lane of a warp
inline constexpr unsigned kGroupCell = 256;       // cells with at most this many bodies are split into groups
inline constexpr std::uint32_t kLeaf = 1u << 31;  // marks a leaf in Tree::links

// The children of a cell, 1 to 8 consecutive nodes, in one word: 28 bits of the first node, 4 bits of their
// number less one.
class Siblings {
 public:
  Siblings() = default;
  __device__ Siblings(std::uint32_t first, std::uint32_t count) : word_(first | (count - 1) << 28) {}
  __device__ std::uint32_t first() const { return word_ & ((1u << 28) - 1); }
  __device__ std::uint32_t count() const { return (word_ >> 28) + 1; }

 private:
  std::uint32_t word_;
};

// The octree of all bodies, in device memory. Nodes are in breadth-first order: node 0 is the root, siblings
// are consecutive. With x the positions of a node's bodies relative to their centre of mass, Q = sum of m x
// x^T is the second moment of the node.
struct Tree {
  const float4* centres;            // per node: {centre of mass, mass}
  const float4* moments;            // per node: {3 Qxx, 3 Qxy, 3 Qxz, 3 Qyy}
  const float4* reaches;            // per node: {3 Qyz, 3 Qzz, 3/2 trace of Q, r^2}; opened if nearer than r
  const uint2* links;               // per node: {first child, children} or {first body, bodies | kLeaf}
  const float4* bodies;             // {x, y, z, mass} in Morton order
  const std::uint32_t* order;       // the index in the input of each of `bodies`
  std::uint32_t count;              // number of bodies
  const std::uint32_t* groups;      // the first body of each group; the bodies of a group are in one cell
  const std::uint32_t* groupCount;  // one word: number of groups
};

// Adds the field of a distant node: the expansion of the softened potential to second order. With d = centre
// - target, s = |d|^2 + e^2, n = d / sqrt(s), mass M, q = 3 Q n / s, t = 3/2 trace Q / s:
//   acceleration = (n (M - t + 5/2 n.q) - q) / s, potential = -(M + n.q / 2 - t / 3) / sqrt(s).
// The order of multiplications keeps intermediate values in range. Cost: 34 single-precision instructions and
// a reciprocal square root.
template <bool withPotential>
__device__ inline void addNode(Field& field, const float3& target, const float4& centre, const float4& moment,
                               const float4& reach, float softeningSquared) {
  const float dx = centre.x - target.x, dy = centre.y - target.y, dz = centre.z - target.z;
  const float inverse = inverseRoot(fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softeningSquared))));
  const float square = inverse * inverse;
  const float x = dx * inverse, y = dy * inverse, z = dz * inverse;
  const float qx = fmaf(moment.x, x, fmaf(moment.y, y, moment.z * z)) * square;
  const float qy = fmaf(moment.y, x, fmaf(moment.w, y, reach.x * z)) * square;
  const float qz = fmaf(moment.z, x, fmaf(reach.x, y, reach.y * z)) * square;
  const float trace = reach.z * square;
  const float quadratic = fmaf(qx, x, fmaf(qy, y, qz * z));
  const float along = fmaf(2.5f, quadratic, centre.w - trace);
  field.x = fmaf(square, fmaf(along, x, -qx), field.x);
  field.y = fmaf(square, fmaf(along, y, -qy), field.y);
  field.z = fmaf(square, fmaf(along, z, -qz), field.z);
  if (withPotential) field.potential -= inverse * (centre.w + fmaf(0.5f, quadratic, -trace * (1.0f / 3.0f)));
}

}  // namespace satdof::cuda
