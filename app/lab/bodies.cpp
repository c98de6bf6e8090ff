#include <stdexcept>

#include "app/gl/gl.h"
#include "app/lab/runner.h"
#include "app/lab/series.h"
#include "app/scene/bodies/solver.h"

namespace satdof::lab {

namespace {

// Times `steps` steps of the leapfrog. GPU times of a solver are available only a few calls later.
class SolverMeasurement : public Measurement {
 public:
  SolverMeasurement(const SolverRow& row, int bodies, int steps) : steps_(steps) {
    settings_.count = bodies;
    settings_.solver = row.value;
    solver_ = row.make(settings_);
    solver_->reset(plummer(bodies, settings_.seed), settings_);
  }

  double kernelUs() override {
    constexpr int kMaxCalls = 8;
    for (int i = 0; i < kMaxCalls; ++i) {
      advance();
      glFinish();
      if (solver_->stepUs() > 0) break;
    }
    return static_cast<double>(solver_->stepUs()) * steps_;
  }

  double endToEndUs() override {
    glFinish();
    const double startUs = Runner::wallClockUs();
    advance();
    solver_->state();
    return Runner::wallClockUs() - startUs;
  }

 private:
  void advance() {
    timings_.beginFrame();
    solver_->advance(steps_, settings_, timings_);
    timings_.endFrame();
  }

  int steps_;
  BodiesSettings settings_;
  std::unique_ptr<Solver> solver_;
  Timings timings_;
};

}  // namespace

std::vector<Series> bodySeries(int steps) {
  std::vector<Series> series;
  for (const SolverRow& row : solverRows()) {
    const DeviceKind kind = row.runsOn;
    if (kind == DeviceKind::emulated) continue;  // emulator times say nothing about CUDA
    series.push_back({row.name, kind, [solver = row.value] { return availability(solver); },
                      [&row, steps](double x) -> std::unique_ptr<Measurement> {
                        const int bodies = static_cast<int>(x);
                        if (bodies > row.maxBodies)
                          throw std::runtime_error("takes at most " + std::to_string(row.maxBodies) + " bodies");
                        return std::make_unique<SolverMeasurement>(row, bodies, steps);
                      },
                      row.summary});
  }
  return series;
}

}  // namespace satdof::lab
