#pragma once
#include <vector_types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/compact/variants.h"
#include "cuda/nbody/variants.h"
#include "cuda/runtime/work.h"
#include "cuda/scan/variants.h"
#include "cuda/sort/variants.h"

// Gravity of N bodies, and their motion. The gravitational constant is 1.
struct CUstream_st;

namespace satdof::cuda {

enum class GravityMethod { naive, tiled, tree };

// Softening below this value is raised to it: two bodies at the same place then do not divide by zero.
inline constexpr float kMinSoftening = 1e-10f;

struct GravityOptions {
  GravityMethod method = GravityMethod::tiled;
  std::uint32_t bodies = 0;
  float softening = 0.0f;  // Plummer radius
  // For GravityMethod::tree:
  float openingAngle = 0.6f;  // a cell is opened if size / distance exceeds this angle; 0 opens every cell
  Traversal traversal = Traversal::depthFirst;
  Sort sort = Sort::onesweep;
  Scan scan = Scan::decoupledLookback;
  Compaction compaction = Compaction::decoupledLookback;
};

// Accelerations of a fixed number of bodies, with Plummer softening e. For a body at p, over all other bodies
// of mass m at p + d:
//   acceleration = sum of m d / (|d|^2 + e^2)^(3/2), potential = sum of -m / (|d|^2 + e^2)^(1/2).
// Without atomics: the same input gives the same bits on the same device. Owns its scratch memory, so one
// object serves one stream at a time.
class Gravity {
 public:
  virtual ~Gravity() = default;
  // Enqueues on `stream`. Both arrays are in device memory, without overlap. `positions`: {x, y, z, mass},
  // with finite coordinates and masses from 0 to 1e8. Writes {x, y, z, potential} to `accelerations`; the
  // potential is 0 unless `withPotential`. Does not allocate or wait, and can be captured in a graph.
  virtual void run(const float4* positions, float4* accelerations, bool withPotential, CUstream_st* stream) = 0;
  // The stages of a run a few runs ago, in order; empty before the first run has finished. Never waits.
  virtual std::vector<StageTime> stageTimes() const = 0;
  virtual std::size_t runs() const = 0;
};

// Throws std::runtime_error if softening or opening angle is negative or not finite, if `bodies` exceeds
// 2^27, or if memory runs out; that message says how many bodies would fit.
std::unique_ptr<Gravity> makeGravity(const GravityOptions& options);

// velocities += accelerations * dt. A leapfrog step (kick-drift-kick): kick by dt / 2, drift by dt, compute
// gravity, kick by dt / 2.
void kick(float4* velocities, const float4* accelerations, float dt, std::uint32_t bodies, CUstream_st* stream);
// positions += velocities * dt. Masses stay unchanged.
void drift(float4* positions, const float4* velocities, float dt, std::uint32_t bodies, CUstream_st* stream);

}  // namespace satdof::cuda
