#pragma once
#include <glm/vec3.hpp>
#include <optional>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/bodies/simulation.h"

namespace satdof {

// Conserved quantities of a simulation, and the error of its accelerations.
struct BodyMeasurement {
  long starts = 0, step = 0;          // Simulation::starts() and step()
  double kinetic = 0, potential = 0;  // energies
  glm::dvec3 momentum{0.0};
  double forceError = 0;  // RMS of |a - exact| / |exact| over a sample of bodies; exact: by all pairs
  int sample = 0;         // number of bodies in the sample

  double energy() const { return kinetic + potential; }
};

// Measures a simulation on the GPU every kPeriodFrames frames. Results arrive some frames later: nothing waits.
class Diagnostics {
 public:
  static constexpr int kPeriodFrames = 20;

  Diagnostics();
  ~Diagnostics();
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  // Call once per frame. Returns whether a measurement has arrived.
  bool update(const Simulation& simulation, Timings& timings);
  // The newest measurement; none before the first has arrived.
  const std::optional<BodyMeasurement>& last() const { return last_; }
  // The first measurement since the last start of the simulation.
  const std::optional<BodyMeasurement>& first() const { return first_; }

 private:
  void request(const Simulation& simulation, Timings& timings);
  bool collect();

  gl::Program conserved_{{"scene/bodies/conserved.comp"}}, forceError_{{"scene/bodies/force_error.comp"}};
  gl::ParameterBlock step_{sizeof(BodyStep)};
  gl::Buffer sums_;
  const glm::vec4* values_ = nullptr;  // mapped sums_
  GLsync fence_ = nullptr;
  BodyMeasurement requested_;
  std::optional<BodyMeasurement> first_, last_;
  int frames_ = kPeriodFrames;  // since the last request
  GLint maxBytes_ = 0;          // of a shader storage block
  long pairBudget_ = 0;         // pairs of bodies per measurement
};

}  // namespace satdof
