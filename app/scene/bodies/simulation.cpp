#include "app/scene/bodies/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "app/core/system/abandon.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr int kMaxBatchSteps = 64;
constexpr float kBatchUs = 50e3f;  // time of a batch of steps, after which the program may abandon the frame
constexpr long kMaxSteps = 10'000'000;

// The settings of the simulation: the solver resolved, the settings of the image at their defaults.
BodiesSettings simulationSettings(BodiesSettings settings) {
  settings.solver = solverOf(settings).value;
  settings.colour = BodiesSettings{}.colour;
  return settings;
}

float medianOfMasses(const BodyState& state) {
  std::vector<float> masses;
  for (const glm::vec4& position : state.positions) masses.push_back(position.w);
  const auto middle = masses.begin() + static_cast<std::ptrdiff_t>(masses.size() / 2);
  std::nth_element(masses.begin(), middle, masses.end());
  return *middle;
}

// Number of steps of the next batch. `last`: of the last batch; doubled while the time of a step is unknown.
int batchSteps(float stepUs, int last) {
  if (stepUs <= 0.0f) return std::clamp(2 * last, 1, kMaxBatchSteps);
  return static_cast<int>(std::clamp(kBatchUs / stepUs, 1.0f, static_cast<float>(kMaxBatchSteps)));
}

bool sameBodies(const BodiesSettings& a, const BodiesSettings& b) {
  return a.count == b.count && a.seed == b.seed && a.initial == b.initial && a.startS == b.startS;
}

}  // namespace

void Simulation::anchor(double timeS) {
  anchorS_ = timeS;
  anchorStep_ = step_;
}

double Simulation::unitsSinceAnchor(double timeS) const {
  return std::max(timeS - anchorS_, 0.0) * double(settings_->speed);
}

long Simulation::stepAt(double timeS) const {
  const double steps = std::floor(unitsSinceAnchor(timeS) / double(settings_->timeStep));
  if (steps > double(kMaxSteps))
    throw std::runtime_error("cannot simulate " + std::to_string(std::llround(steps)) + " steps: at most " +
                             std::to_string(kMaxSteps) + "; lower --time or --body-speed, or raise --time-step");
  return anchorStep_ + static_cast<long>(steps);
}

void Simulation::start(const BodiesSettings& wanted, std::unique_ptr<Solver> solver) {
  const BodyState state = initialState(wanted.initial, wanted.count, wanted.seed);
  (solver ? *solver : *solver_).reset(state, wanted);
  if (solver) solver_ = std::move(solver);
  settings_ = wanted;
  medianMass_ = medianOfMasses(state);
  step_ = 0;
  ++starts_;
  behind_ = false;
  anchor(double(wanted.startS));
}

void Simulation::applySettings(const BodiesSettings& wanted, double timeS, bool live) {
  const bool retries = !message_.empty() && reloads_ != gl::shaderReloads();
  if (!retries && solver_ && wanted_ == wanted) return;
  wanted_ = wanted;
  reloads_ = gl::shaderReloads();
  message_.clear();
  try {
    const bool other = !solver_ || settings_->solver != wanted.solver || settings_->count != wanted.count;
    std::unique_ptr<Solver> made = other ? makeSolver(wanted) : nullptr;
    if (!live || !solver_ || !sameBodies(*settings_, wanted)) {
      start(wanted, std::move(made));
      return;
    }
    if (made) {
      made->reset(solver_->state(), wanted);
      solver_ = std::move(made);
    }
    settings_ = wanted;
    anchor(timeS);
  } catch (const std::runtime_error& error) {
    message_ = error.what();
    if (solver_) return;
    if (!live) throw;
    BodiesSettings other = wanted;
    other.count = std::min(wanted.count, BodiesSettings().count);
    other.solver = BodySolver::automatic;
    other.solver = solverOf(other).value;
    start(other, makeSolver(other));
  }
}

void Simulation::advanceTo(const BodiesSettings& settings, double timeS, bool live, Timings& timings) {
  applySettings(simulationSettings(settings), timeS, live);
  if (!live && behind_ && timeS == double(shownS_)) return;  // draws the state of the window again
  long target = stepAt(timeS);
  if (target < step_) {
    if (live) {
      anchor(timeS);
    } else {
      start(*settings_, nullptr);
    }
    target = stepAt(timeS);
  }
  long steps = target - step_;
  if (live) {
    const float stepUs = solver_->stepUs();
    steps = std::min(steps, stepUs > 0 ? std::max(std::lround(kLiveBudgetUs / stepUs), 1L) : 1L);
  }
  LongWork work("Simulating");
  const auto all = static_cast<float>(steps);
  for (int batch = 0; steps > 0;) {
    batch = static_cast<int>(std::min<long>(steps, batchSteps(solver_->stepUs(), batch)));
    solver_->advance(batch, *settings_, timings);
    step_ += batch;
    steps -= batch;
    if (steps == 0 || live) continue;
    glFinish();  // keeps the queue of the GPU short
    work.reportProgress(1.0f - static_cast<float>(steps) / all);
  }
  if (step_ < target) anchor(timeS);
  const double sinceAnchor = double(step_ - anchorStep_) * double(settings_->timeStep);
  sinceStep_ = static_cast<float>(std::clamp(unitsSinceAnchor(timeS) - sinceAnchor, 0.0, double(settings_->timeStep)));
  findShownTime(timeS);
}

void Simulation::findShownTime(double timeS) {
  const double startS = settings_->startS, speed = settings_->speed, timeStep = settings_->timeStep;
  shownS_ = static_cast<float>(timeS);
  behind_ = anchorS_ != startS && speed > 0.0;
  if (!behind_) return;
  const auto unitsAt = [&](float at) { return std::max(double(at) - startS, 0.0) * speed; };
  const auto stepsAt = [&](float at) { return static_cast<long>(unitsAt(at) / timeStep); };
  // Settings hold the time as a float: take one at which a new simulation makes the same number of steps.
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  shownS_ = static_cast<float>(startS + (double(step_) * timeStep + double(sinceStep_)) / speed);
  while (stepsAt(shownS_) > step_) shownS_ = std::nextafter(shownS_, -kInfinity);
  while (stepsAt(shownS_) < step_) shownS_ = std::nextafter(shownS_, kInfinity);
  sinceStep_ = static_cast<float>(std::clamp(unitsAt(shownS_) - double(step_) * timeStep, 0.0, timeStep));
}

}  // namespace satdof
