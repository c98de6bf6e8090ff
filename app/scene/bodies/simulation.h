#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/scene/bodies/solver.h"

namespace satdof {

// The bodies at an animation time.
//
// The state follows from the settings and the time: at time t the bodies have made
// floor((t - startS) speed / timeStep) steps from the initial state. Drawing again at the same time makes no
// step. Other settings, or an earlier time, start again from the initial state.
//
// A live simulation must not hold up the window. It makes as many steps a frame as fit a budget and lets the
// simulated time fall behind; it goes on from the current state when the solver or its parameters change, or
// when the time jumps back. Only other bodies (number, seed, initial state, start) start again. Its state
// equals the state of a simulation that is not live until the first of these events.
class Simulation {
 public:
  // Times of the steps of a live frame, in microseconds.
  static constexpr float kLiveBudgetUs = 20e3f;

  // Needs a current context, as all members. If the solver of the settings cannot be made, the last good one
  // goes on and message() says why; a live simulation without a good one takes the automatic solver and few
  // bodies. Throws std::runtime_error if there is none, and gl::FrameAbandoned between steps that are not live.
  void advanceTo(const BodiesSettings& settings, double timeS, bool live, Timings& timings);

  // After the first advanceTo().
  const Solver& solver() const { return *solver_; }
  // The settings that the bodies follow, with the solver resolved.
  const BodiesSettings& settings() const { return *settings_; }
  long step() const { return step_; }
  // Counts the starts from an initial state.
  long starts() const { return starts_; }
  // The median of the masses.
  float medianMass() const { return medianMass_; }
  // Units of time between the last step and timeS, at most a time step: bodies are drawn at
  // position + velocity * sinceStep().
  float sinceStep() const { return sinceStep_; }
  const std::string& message() const { return message_; }

 private:
  void follow(const BodiesSettings& wanted, double timeS, bool live);
  void start(const BodiesSettings& wanted, std::unique_ptr<Solver> solver);
  void anchor(double timeS);
  double unitsSinceAnchor(double timeS) const;
  long stepAt(double timeS) const;

  std::unique_ptr<Solver> solver_;
  std::optional<BodiesSettings> settings_;
  std::optional<BodiesSettings>
      wanted_;  // the last settings asked for, whether they could be followed or not
  std::string message_;
  int reloads_ = 0;     // shaderReloads() when wanted_ was tried; a failure is tried again after a reload
  double anchorS_ = 0;  // at this animation time the simulation is at anchorStep_
  long anchorStep_ = 0;
  long step_ = 0;
  long starts_ = 0;
  float medianMass_ = 1;
  float sinceStep_ = 0;
};

}  // namespace satdof
