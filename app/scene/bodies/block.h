#pragma once
#include <array>
#include <cstddef>

namespace satdof {

// Number of target bodies of one loop over sources.
inline constexpr int kBlockBodies = 16;

// Target bodies with their accelerations and potentials, which addBodies() and addCells() accumulate.
struct alignas(64) Block {
  using Lanes = std::array<float, kBlockBodies>;
  Lanes x, y, z;
  Lanes ax, ay, az, potential;
};

// Sources as a structure of arrays.
struct Sources {
  const float *x, *y, *z, *mass;
};

// The block of the bodies from `first` on, with sums of 0. The last of the `count` sources stands in for missing
// bodies.
Block blockOf(const Sources& sources, std::size_t first, std::size_t count);

// Multipole of a tree cell: centre of mass, mass, and second moments sum m d_a d_b about the centre of mass.
struct Moments {
  float x, y, z, mass;
  float xx, yy, zz, xy, xz, yz;
};

// Adds the gravity of the bodies first to last - 1 to a block. Lane i is body self + i, which does not attract itself.
// Both functions add sources in order, so the sums do not depend on the number of threads. With AVX2: 8 lanes per
// instruction, reciprocal square roots to 23 bits.
void addBodies(Block& block, const Sources& sources, int first, int last, int self, float softeningSquared);
// Adds the gravity of cells: the multipole expansion to second order in cell size over distance.
void addCells(Block& block, const Moments* cells, int count, float softeningSquared);

// Implementations of addBodies() and addCells(): the fastest for this processor, which both call, and the portable one.
struct BlockGravity {
  decltype(&satdof::addBodies) addBodies;
  decltype(&satdof::addCells) addCells;
};
BlockGravity fastestBlockGravity();
BlockGravity plainBlockGravity();

}  // namespace satdof
