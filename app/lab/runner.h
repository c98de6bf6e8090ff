#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/experiment.h"
#include "app/lab/results.h"

namespace satdof::lab {

// Limits of the duration of measurements.
struct Budget {
  double pointUs = 1e5;   // samples of one point
  double sampleUs = 5e5;  // a curve ends before a size at which a sample is expected to exceed this
  double totalUs = 1e12;  // all experiments; the remaining ones are skipped
  int fewestSamples = 5;  // of a point, regardless of pointUs
  int mostSamples = 25;   // of a point
};

// Measures experiments one after the other, in small steps between frames.
class Runner {
 public:
  // Returns microseconds since a fixed time.
  using Clock = std::function<double()>;
  static double wallClockUs();

  explicit Runner(std::vector<Experiment> experiments, Budget budget = {}, Clock clock = wallClockUs);

  // Prepares a point or takes one sample of it. An error ends the curve with a note; the run continues.
  void advance();
  // Calls advance() until `forUs` have passed or the run has ended.
  void advance(double forUs);
  // Ends the run and keeps its results.
  void cancel();
  bool finished() const { return cancelled_ || experiment_ >= experiments_.size(); }
  bool cancelled() const { return cancelled_; }

  // The number of points of all curves. The missing points of a curve that ended count as done.
  long points() const { return points_; }
  long pointsDone() const { return done_; }
  float progress() const { return points_ == 0 ? 1.0f : static_cast<float>(done_) / static_cast<float>(points_); }
  // "scan, cuda cub, 1048576"; empty at the end.
  std::string current() const;

  const std::vector<Experiment>& experiments() const { return experiments_; }
  // The results so far, one for each experiment. Published curves are present from the start.
  const std::vector<ExperimentResult>& results() const { return results_; }

 private:
  const Experiment& experiment() const { return experiments_[experiment_]; }
  const Series& series() const { return experiment().series[series_]; }
  Curve& curve();
  void prepare();
  void sample();
  void endPoint();
  void endCurve(std::string note);

  std::vector<Experiment> experiments_;
  Budget budget_;
  Clock clock_;
  std::vector<ExperimentResult> results_;
  double startUs_;
  std::size_t experiment_ = 0, series_ = 0, x_ = 0;
  bool cancelled_ = false;
  long points_ = 0, done_ = 0;
  std::unique_ptr<Measurement> measurement_;  // null: the next step prepares a point
  double pointStartUs_ = 0;
  int warmUps_ = 0;
  std::vector<double> kernelUs_, endToEndUs_;
};

}  // namespace satdof::lab
