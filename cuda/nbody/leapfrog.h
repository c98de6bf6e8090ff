#pragma once
#include <vector_types.h>

#include <memory>

#include "cuda/nbody/gravity.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// Device memory for copies of the bodies, each as many float4 as there are bodies.
struct BodyCopies {
  float4* positions;      // w: mass
  float4* velocities;     // w: 0
  float4* accelerations;  // w: potential
};

// Bodies in device memory that move by their gravity. The same calls give the same bits on the same device,
// however the steps are divided among calls.
class Leapfrog : public Work {
 public:
  // Copies the state from host memory, computes gravity and waits.
  virtual void reset(const float4* positions, const float4* velocities, CUstream_st* stream) = 0;
  // Enqueues steps of `dt`, then copies the bodies. Each step kicks half a step, drifts a step, computes gravity
  // and kicks half a step; the last one computes potentials, too. With 0 steps it only copies.
  virtual void advance(int steps, float dt, const BodyCopies& copies, CUstream_st* stream) = 0;
};

// Throws std::runtime_error for the reasons of makeGravity(). If memory runs out, the message says how many
// bodies would fit.
std::unique_ptr<Leapfrog> makeLeapfrog(const GravityOptions& options);

}  // namespace satdof::cuda
