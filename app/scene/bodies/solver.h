#pragma once
#include <memory>
#include <span>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/scene/bodies/initial.h"

namespace satdof {

// The bodies in OpenGL buffers, a vec4 per body. Throws std::runtime_error if memory runs out.
struct BodyBuffers {
  explicit BodyBuffers(int bodies);

  int count;
  gl::Buffer positions;      // w: mass
  gl::Buffer velocities;     // w: 0
  gl::Buffer accelerations;  // w: potential
};

// Parameters of shaders/scene/bodies/state.glsl.
struct alignas(16) BodyStep {
  int count = 0;
  int firstPartial = 0;  // index of the first accelerations in the buffer of Diagnostics
  float softeningSquared = 0.0f;
  float kickBy = 0.0f, driftBy = 0.0f;
};
inline constexpr GLuint kBodyStepBinding = 4;

// Moves bodies by their mutual gravity. For the other bodies of mass m at the offsets d:
//   acceleration = sum m d / (|d|^2 + softening^2)^(3/2)
//   potential    = -sum m / (|d|^2 + softening^2)^(1/2)
// A leapfrog step kicks by half a step, drifts by a step, computes gravity and kicks by half a step; it is
// time-reversible. Equal calls give equal bits on the same device: no solver adds with atomics.
class Solver {
 public:
  virtual ~Solver() = default;
  // Sets the state, which must have as many bodies as the solver, and computes gravity.
  virtual void reset(const BodyState& state, const BodiesSettings& settings) = 0;
  // Advances by `steps` steps of settings.timeStep and fills the buffers. Times its stages.
  virtual void advance(int steps, const BodiesSettings& settings, Timings& timings) = 0;
  // Recent duration of a step; 0 if not yet known. Never waits.
  virtual float stepUs() const = 0;
  // Reads positions and velocities back. Waits for the GPU.
  BodyState state() const;
  const BodyBuffers& buffers() const { return buffers_; }

 protected:
  explicit Solver(int bodies) : buffers_(bodies) {}
  BodyBuffers buffers_;
};

// A row of the registry of solvers.
struct SolverRow {
  BodySolver value;
  const char* name;       // as on the command line
  const char* summary;    // for --list and tooltips
  int maxBodies;          // more bodies take seconds per step
  bool isTree;            // reads openingAngle; the force is approximate
  bool readsTreeOptions;  // reads traversal, sort, scan and compaction
  DeviceKind runsOn;
  // Null if the solver is not built. Throws std::runtime_error if memory runs out.
  std::unique_ptr<Solver> (*make)(const BodiesSettings& settings);
};
std::span<const SolverRow> solverRows();

// The functions below need a current OpenGL context.

// The row of a solver other than automatic.
const SolverRow& solverRow(BodySolver solver);
// The row of the solver of the settings. `automatic` selects the fastest for the number of bodies: on CUDA, else on a
// GPU with OpenGL, else on the processor; all pairs for few bodies, a tree for many.
const SolverRow& solverOf(const BodiesSettings& settings);
Availability availability(BodySolver solver);
Availability availability(Traversal traversal);

// Makes solverOf(settings). Throws std::runtime_error with the reason if the solver is not available,
// if there are too many bodies for it, or if memory runs out.
std::unique_ptr<Solver> makeSolver(const BodiesSettings& settings);

}  // namespace satdof
