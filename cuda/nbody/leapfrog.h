#pragma once
#include <vector_types.h>

#include <memory>

#include "cuda/nbody/gravity.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// Device memory for copies of the bodies: one float4 per body in each array.
struct BodyCopies {
  float4* positions;      // w: mass
  float4* velocities;     // w: 0
  float4* accelerations;  // w: potential
};

// Leapfrog integration of bodies in device memory. The same steps give the same bits on the same device,
// however they are divided among calls of advance().
class Leapfrog : public Work {
 public:
  // Copies the state from host memory, computes gravity and waits.
  virtual void reset(const float4* positions, const float4* velocities, CUstream_st* stream) = 0;
  // Enqueues `steps` kick-drift-kick steps of `dt`, then copies of the bodies. The last step also computes
  // potentials. With 0 steps, only copies.
  virtual void advance(int steps, float dt, const BodyCopies& copies, CUstream_st* stream) = 0;
};

// Throws as makeGravity().
std::unique_ptr<Leapfrog> makeLeapfrog(const GravityOptions& options);

}  // namespace satdof::cuda
