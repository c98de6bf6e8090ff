#include "app/lab/laboratory.h"

#include <utility>

namespace satdof::lab {

Laboratory::Laboratory(std::vector<Experiment> experiments, Budget budget, Runner::Clock clock, Context machine)
    : experiments_(std::move(experiments)), machine_(std::move(machine)), budget_(budget), clock_(std::move(clock)) {
  results_ = Runner(experiments_, budget_, clock_).results();
}

const ExperimentResult& Laboratory::result(std::size_t index) const {
  return runner_ && index == running_ ? runner_->results().front() : results_[index];
}

void Laboratory::start(std::size_t index) {
  storeResults();
  running_ = index;
  runner_.emplace(std::vector{experiments_[index]}, budget_, clock_);
}

void Laboratory::cancel() {
  if (running()) runner_->cancel();
}

void Laboratory::advance(double forUs) {
  if (running()) runner_->advance(forUs);
}

void Laboratory::storeResults() {
  if (runner_) results_[running_] = runner_->results().front();
}

}  // namespace satdof::lab
