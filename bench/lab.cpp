#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "app/lab/experiment.h"
#include "app/lab/results.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

constexpr double kBudgetUs = 1e5;
constexpr size_t kFewest = 5, kMost = 50;
constexpr int kWarmUps = 2;

double nowUs() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

Result measured(const lab::Series& series, double x, lab::Timed timed) {
  needContext();
  if (const Availability here = series.probe(); !here.available) throw std::runtime_error(here.reason);
  const auto measurement = series.prepare(x);
  const auto once = [&] {
    return timed == lab::Timed::kernel ? measurement->kernelUs() : measurement->endToEndUs();
  };
  for (int i = 0; i < kWarmUps; ++i) once();
  Measurement time;
  for (const double startUs = nowUs();
       time.samplesUs.size() < kFewest || (nowUs() - startUs < kBudgetUs && time.samplesUs.size() < kMost);)
    time.samplesUs.push_back(once());
  return {std::move(time)};
}

std::string withoutSpaces(std::string text) {
  std::ranges::replace(text, ' ', '-');
  return text;
}

}  // namespace

void addLabRows() {
  for (const lab::Experiment& experiment : lab::experiments())
    for (const lab::Series& series : experiment.series)
      for (const double x : experiment.xs)
        for (const lab::Timed timed : {lab::Timed::kernel, lab::Timed::endToEnd}) {
          if (timed == lab::Timed::endToEnd && series.kind == DeviceKind::processor) continue;
          addRow(path({"lab", experiment.id, withoutSpaces(series.name), lab::numberText(x),
                       timed == lab::Timed::kernel ? "kernel" : "end-to-end"}),
                 [=] { return measured(series, x, timed); });
        }
}

}  // namespace satdof::bench
