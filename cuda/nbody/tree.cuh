#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/nbody/pair.cuh"

namespace satdof::cuda {

inline constexpr unsigned kLevels = 21;      // of cells below the root: 21 bits of each coordinate
inline constexpr unsigned kLeafBodies = 32;  // a cell of more bodies has children, except at the last level
inline constexpr unsigned kChildren = 8;
inline constexpr unsigned kGroupBodies = 64;  // that walk the tree together: two for each lane of a warp
inline constexpr unsigned kGroupCell = 256;   // bodies of a cell that is split into groups
inline constexpr std::uint32_t kLeaf = 1u << 31;

// The children of a cell, at most 8 consecutive nodes, in one word: the first, and their number less one.
class Siblings {
 public:
  Siblings() = default;
  __device__ Siblings(std::uint32_t first, std::uint32_t count) : word_(first | (count - 1) << 28) {}
  __device__ std::uint32_t first() const { return word_ & ((1u << 28) - 1); }
  __device__ std::uint32_t count() const { return (word_ >> 28) + 1; }

 private:
  std::uint32_t word_;
};

// The octree of all bodies, breadth first: node 0 is the root, siblings are consecutive. About the centre of
// mass of a node, with second moments Q = sum of m x x^T:
struct Tree {
  const float4* centres;            // {centre of mass, mass}
  const float4* moments;            // {3 Qxx, 3 Qxy, 3 Qxz, 3 Qyy}
  const float4* reaches;            // {3 Qyz, 3 Qzz, 3/2 trace of Q, r^2}: nearer than r, the node is opened
  const uint2* links;               // {first child, children} or {first body, bodies | kLeaf}
  const float4* bodies;             // {x, y, z, mass} in Morton order
  const std::uint32_t* order;       // of each of `bodies`, its index in the input
  std::uint32_t count;              // of bodies
  const std::uint32_t* groups;      // the first body of each group; a group lies in one cell
  const std::uint32_t* groupCount;  // one word
};

// Adds the field of a distant node by its mass and second moments, exact to second order for softened gravity,
// too. Powers of the distance meet moments in an order that neither overflows nor underflows early. Cost: 34
// single-precision instructions and a root.
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
