#include "app/lab/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "app/gl/built.h"

namespace satdof::lab {

namespace {

constexpr int kWarmUps = 2;

Curve curveOf(const PublishedSeries& published) {
  Curve curve{.name = published.name, .kind = published.kind, .published = true};
  for (const auto& [x, timeUs] : published.points) {
    Point point{.x = x};
    const Spread spread{timeUs, timeUs, timeUs, 0};
    (published.endToEnd ? point.endToEnd : point.kernel) = spread;
    // On a CPU both times are equal.
    if (published.kind == DeviceKind::processor) point.kernel = point.endToEnd = spread;
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace

std::string missingReason(const Series& series) {
  const Availability here = series.probe();
  if (here.available) return {};
  return series.kind == DeviceKind::cuda ? "needs an NVIDIA GPU: " + here.reason : here.reason;
}

double Runner::wallClockUs() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

Runner::Runner(std::vector<Experiment> experiments, Budget budget, Clock clock)
    : experiments_(std::move(experiments)), budget_(budget), clock_(std::move(clock)), startUs_(clock_()) {
  for (const Experiment& experiment : experiments_) {
    ExperimentResult result{experiment.id, experiment.title, experiment.axis, experiment.source};
    for (const Series& each : experiment.series)
      result.curves.push_back(
          {.name = each.name, .kind = each.kind, .note = missingReason(each), .summary = each.summary});
    for (const PublishedSeries& each : experiment.published) result.curves.push_back(curveOf(each));
    result.curves.insert(result.curves.end(), experiment.stored.begin(), experiment.stored.end());
    results_.push_back(std::move(result));
    points_ += static_cast<long>(experiment.series.size() * experiment.xs.size());
  }
  while (!finished() && (experiment().series.empty() || experiment().xs.empty())) ++experiment_;
}

Curve& Runner::curve() { return results_[experiment_].curves[series_]; }

std::string Runner::current() const {
  if (finished()) return {};
  return experiment().id + ", " + series().name + ", " + sizeText(experiment().xs[x_]);
}

void Runner::cancel() {
  cancelled_ = true;
  measurement_.reset();
}

void Runner::advance(double forUs) {
  const double endUs = clock_() + forUs;
  do advance();
  while (!finished() && clock_() < endUs);
}

void Runner::advance() {
  if (finished()) return;
  try {
    if (measurement_ == nullptr)
      prepare();
    else
      sample();
  } catch (const std::bad_alloc&) {
    endCurve("out of memory at " + sizeText(experiment().xs[x_]));
  } catch (const std::exception& error) {
    endCurve(error.what());
  }
}

void Runner::prepare() {
  if (clock_() - startUs_ > budget_.totalUs) return endCurve("left out: the time for all experiments is over");
  if (std::string reason = missingReason(series()); !reason.empty()) return endCurve(std::move(reason));
  const double x = experiment().xs[x_];
  if (x_ > 0 && !curve().points.empty()) {
    const Point& last = curve().points.back();
    // Uses the fast samples: a busy machine delays the others.
    const double longestUs = std::max(last.kernel->lowUs, last.endToEnd->lowUs);
    const double expectedUs = longestUs * std::pow(x / last.x, experiment().growth);
    if (expectedUs > budget_.sampleUs)
      return endCurve("ends at " + sizeText(last.x) + ": " + sizeText(x) + " would take about " +
                      durationText(expectedUs));
  }
  measurement_ = gl::withBuiltPrograms([&] { return series().prepare(x); });
  kernelUs_.clear();
  endToEndUs_.clear();
  warmUps_ = 0;
  pointStartUs_ = clock_();
}

void Runner::sample() {
  const double kernelUs = measurement_->kernelUs();
  const double endToEndUs = series().kind == DeviceKind::processor ? kernelUs : measurement_->endToEndUs();
  const double spentUs = clock_() - pointStartUs_;
  if (warmUps_ < kWarmUps && spentUs < budget_.pointUs) {
    ++warmUps_;
    return;
  }
  kernelUs_.push_back(kernelUs);
  endToEndUs_.push_back(endToEndUs);
  const auto samples = static_cast<int>(kernelUs_.size());
  const bool enough = spentUs >= budget_.pointUs && samples >= budget_.fewestSamples;
  if (enough || samples >= budget_.mostSamples) endPoint();
}

void Runner::endPoint() {
  curve().points.push_back({experiment().xs[x_], spreadOf(kernelUs_), spreadOf(endToEndUs_)});
  measurement_.reset();
  ++done_;
  if (++x_ == experiment().xs.size()) endCurve({});
}

void Runner::endCurve(std::string note) {
  measurement_.reset();
  curve().note = std::move(note);
  done_ += static_cast<long>(experiment().xs.size() - x_);
  x_ = 0;
  ++series_;
  while (!finished() && (series_ >= experiment().series.size() || experiment().xs.empty())) {
    series_ = 0;
    ++experiment_;
  }
}

}  // namespace satdof::lab
