#include <algorithm>
#include <memory>
#include <stdexcept>

#include "app/lab/experiment.h"
#include "app/lab/results.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

Result measured(const lab::Series& series, double x, lab::Timed timed) {
  if (series.kind != DeviceKind::processor) needContext();
  if (const Availability here = series.probe(); !here.available) throw std::runtime_error(here.reason);
  const auto measurement = series.prepare(x);
  return {samplesOf([&] { return timed == lab::Timed::kernel ? measurement->kernelUs() : measurement->endToEndUs(); },
                    1e5, 50)};
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
