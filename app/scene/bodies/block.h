#pragma once
#include <array>

namespace satdof {

// Up to this many bodies are the targets of one loop over sources.
inline constexpr int kBlockBodies = 16;

// Targets and what they feel.
struct alignas(64) Block {
  using Lanes = std::array<float, kBlockBodies>;
  Lanes x, y, z;
  Lanes ax, ay, az, potential;
};

// Sources as a structure of arrays.
struct Sources {
  const float *x, *y, *z, *mass;
};

// A cell of a tree about its centre of mass: the mass and the second moments, the sums of m d_a d_b.
struct Moments {
  float x, y, z, mass;
  float xx, yy, zz, xy, xz, yz;
};

// Add the gravity of sources to a block: of bodies first to last - 1, except of the source self + lane on its
// lane; and of cells, to the second order of their size over the distance. Each lane sums its sources in
// order, so the sum does not depend on threads. With AVX2: 8 lanes an instruction, reciprocal roots to 23
// bits.
void addBodies(Block& block, const Sources& sources, int first, int last, int self, float softeningSquared);
void addCells(Block& block, const Moments* cells, int count, float softeningSquared);

// What addBodies() and addCells() call: the fastest functions that the processor has, or those for any processor.
struct BlockGravity {
  decltype(&satdof::addBodies) addBodies;
  decltype(&satdof::addCells) addCells;
};
BlockGravity fastestBlockGravity();
BlockGravity plainBlockGravity();

}  // namespace satdof
