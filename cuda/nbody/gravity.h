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

// Gravity of bodies on each other, and their motion. The constant of gravity is 1.
struct CUstream_st;

namespace satdof::cuda {

enum class GravityMethod { naive, tiled, tree };

// A smaller softening counts as this one, so that two bodies at one place never divide by zero.
inline constexpr float kLeastSoftening = 1e-10f;

struct GravityOptions {
  GravityMethod method = GravityMethod::tiled;
  std::uint32_t bodies = 0;
  float softening = 0.0f;  // Plummer radius
  // The tree alone:
  float openingAngle = 0.6f;  // a cell is opened if its size exceeds this many distances; 0 opens every cell
  Traversal traversal = Traversal::depthFirst;
  Sort sort = Sort::onesweep;
  Scan scan = Scan::decoupledLookback;
  Compaction compaction = Compaction::decoupledLookback;
};

// Accelerations of a fixed number of bodies. The acceleration of a body at p is the sum of
// m d / (|d|^2 + softening^2)^(3/2) over all other bodies at p + d, the potential the sum of
// -m / (|d|^2 + softening^2)^(1/2). The same input gives the same bits on the same device: no atomics. Owns its
// scratch memory: one object serves one stream at a time.
class Gravity {
 public:
  virtual ~Gravity() = default;
  // Enqueues on `stream`. Device memory without overlap: `positions` are {x, y, z, mass} with finite
  // coordinates and masses from 0 to 1e8; `accelerations` become {x, y, z, potential}, the potential 0 unless
  // `withPotential`. Does not allocate or wait and can be captured in a graph.
  virtual void run(const float4* positions, float4* accelerations, bool withPotential,
                   CUstream_st* stream) = 0;
  // The stages of a run a few runs ago, in order; empty before the first run has finished. Never waits.
  virtual std::vector<StageTime> stageTimes() const = 0;
  virtual size_t runs() const = 0;
};

// Throws std::runtime_error if the softening or the opening angle is negative or not finite, if `bodies`
// exceeds 2^27, or if memory runs out: the message says how many bodies would fit.
std::unique_ptr<Gravity> makeGravity(const GravityOptions& options);

// velocities += accelerations * dt. Leapfrog: kick half a step, drift a step, compute gravity, kick half a step.
void kick(float4* velocities, const float4* accelerations, float dt, std::uint32_t bodies,
          CUstream_st* stream);
// positions += velocities * dt. The masses stay.
void drift(float4* positions, const float4* velocities, float dt, std::uint32_t bodies, CUstream_st* stream);

}  // namespace satdof::cuda
