#pragma once
#include <glm/vec3.hpp>
#include <optional>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/bodies/simulation.h"

namespace satdof {

// What a solver conserves, and the error of its accelerations.
struct BodyMeasurement {
  long starts = 0, step = 0;  // of the simulation
  double kinetic = 0, potential = 0;
  glm::dvec3 momentum{0.0};
  double forceError = 0;  // RMS over a sample of |a - exact| / |exact|, exact by all pairs
  int sample = 0;         // bodies

  double energy() const { return kinetic + potential; }
};

// Measures the bodies of a simulation now and then, on the GPU. A measurement arrives some frames later:
// nothing waits.
class Diagnostics {
 public:
  static constexpr int kPeriodFrames = 20;

  Diagnostics();
  ~Diagnostics();
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  // Call once a frame. Returns whether a measurement has arrived.
  bool update(const Simulation& simulation, Timings& timings);
  // The last measurement; none before the first has arrived.
  const std::optional<BodyMeasurement>& last() const { return last_; }
  // The first measurement since the simulation started.
  const std::optional<BodyMeasurement>& first() const { return first_; }

 private:
  void request(const Simulation& simulation, Timings& timings);
  bool collect();

  gl::Program conserved_{{"scene/bodies/conserved.comp"}}, forceError_{{"scene/bodies/force_error.comp"}};
  gl::ParameterBlock step_{sizeof(BodyStep)};
  gl::Buffer sums_;
  const glm::vec4* values_ = nullptr;  // of sums_
  GLsync fence_ = nullptr;
  BodyMeasurement requested_;
  std::optional<BodyMeasurement> first_, last_;
  int frames_ = kPeriodFrames;  // since the last request
  GLint mostBytes_ = 0;         // of a buffer in a shader
  long pairs_ = 0;              // of a measurement
};

}  // namespace satdof
