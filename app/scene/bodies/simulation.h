#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/scene/bodies/solver.h"

namespace satdof {

// N-body simulation at an animation time.
//
// The state is a function of settings and time: at time t the bodies have made floor((t - startS) speed / timeStep)
// steps from the initial state. Drawing again at the same time makes no step. Other settings or an earlier time restart
// from the initial state.
//
// A live simulation must not block the window. It makes as many steps per frame as its time budget allows, and the
// simulated time falls behind. It continues from the current state when the solver or its parameters change, or when
// the time jumps back; until the first of these events its state equals the state of a simulation that is not live.
// Only other bodies (number, seed, initial state, start) restart it.
class Simulation {
 public:
  // Time budget for the steps of a live frame, in microseconds.
  static constexpr float kLiveBudgetUs = 20e3f;

  // Steps to timeS. All members need a current OpenGL context. If the solver of the settings cannot be made, the last
  // solver continues and message() says why; a live simulation without a last solver falls back to the automatic solver
  // and few bodies. Throws std::runtime_error if there is no solver, and FrameAbandoned between batches of steps that
  // are not live.
  void advanceTo(const BodiesSettings& settings, double timeS, bool live, Timings& timings);

  // The functions below need a first call of advanceTo().
  const Solver& solver() const { return *solver_; }
  // The settings of the current bodies, with the solver resolved.
  const BodiesSettings& settings() const { return *settings_; }
  // Steps since the initial state.
  long step() const { return step_; }
  // Number of starts from an initial state.
  long starts() const { return starts_; }
  float medianMass() const { return medianMass_; }
  // Simulated time between the last step and timeS, at most a time step. Bodies are drawn at position + velocity *
  // sinceStep().
  float sinceStep() const { return sinceStep_; }
  // The animation time of the state and sinceStep(): before timeS if a live simulation has fallen behind. A simulation
  // that is not live has the same state at this time.
  float shownS() const { return shownS_; }
  const std::string& message() const { return message_; }

 private:
  void applySettings(const BodiesSettings& wanted, double timeS, bool live);
  void start(const BodiesSettings& wanted, std::unique_ptr<Solver> solver);
  void anchor(double timeS);
  double unitsSinceAnchor(double timeS) const;
  long stepAt(double timeS) const;
  void findShownTime(double timeS);

  std::unique_ptr<Solver> solver_;
  std::optional<BodiesSettings> settings_;
  std::optional<BodiesSettings> wanted_;  // the last requested settings, even if they failed
  std::string message_;
  int reloads_ = 0;     // shaderReloads() when wanted_ was tried: failed settings are retried after a reload
  double anchorS_ = 0;  // animation time of anchorStep_
  long anchorStep_ = 0;
  long step_ = 0;
  long starts_ = 0;
  float medianMass_ = 1;
  float sinceStep_ = 0;
  float shownS_ = 0;
  bool behind_ = false;  // shownS_ is before the time of the last advanceTo()
};

}  // namespace satdof
