#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/lab/runner.h"

namespace satdof::lab {

// The experiments of a session and their results. At most one experiment runs.
class Laboratory {
 public:
  explicit Laboratory(std::vector<Experiment> experiments, Budget budget = {},
                      Runner::Clock clock = Runner::wallClockUs, Context machine = {});

  const Context& machine() const { return machine_; }

  const std::vector<Experiment>& experiments() const { return experiments_; }
  // Returns the latest results of an experiment; before its first run, only the published curves.
  const ExperimentResult& result(std::size_t index) const;

  // Starts an experiment. Ends a running one and keeps its results.
  void start(std::size_t index);
  void cancel();
  bool running() const { return runner_ && !runner_->finished(); }
  float progress() const { return runner_ ? runner_->progress() : 0.0f; }
  std::string current() const { return runner_ ? runner_->current() : std::string(); }
  // See Runner::advance().
  void advance(double forUs);

 private:
  void storeResults();

  std::vector<Experiment> experiments_;
  std::vector<ExperimentResult> results_;
  Context machine_;
  Budget budget_;
  Runner::Clock clock_;
  std::optional<Runner> runner_;
  std::size_t running_ = 0;
};

}  // namespace satdof::lab
