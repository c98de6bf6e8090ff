#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/lab/experiment.h"
#include "app/lab/runner.h"

// Experiments without work. Each measurement advances a clock by the time that it reports.
namespace satdof::lab::test {

struct FakeClock {
  double nowUs = 0;
  Runner::Clock clock() {
    return [this] { return nowUs; };
  }
};

class FakeMeasurement : public Measurement {
 public:
  FakeMeasurement(FakeClock& clock, double kernelUs, double endToEndUs)
      : clock_(clock), kernelUs_(kernelUs), endToEndUs_(endToEndUs) {}
  double kernelUs() override {
    clock_.nowUs += kernelUs_;
    return kernelUs_;
  }
  double endToEndUs() override {
    clock_.nowUs += endToEndUs_;
    return endToEndUs_;
  }

 private:
  FakeClock& clock_;
  double kernelUs_, endToEndUs_;
};

// The work of size x takes x * `scale`; from end to end `overheadUs` more.
inline Series linear(FakeClock& clock, const std::string& name, double scale, double overheadUs,
                     DeviceKind kind = DeviceKind::cuda) {
  return {name, kind,
          [] {
            return Availability{true, ""};
          },
          [&clock, scale, overheadUs](double x) {
            return std::make_unique<FakeMeasurement>(clock, scale * x, scale * x + overheadUs);
          }};
}

// Fails at sizes from `x` on.
inline Series failing(FakeClock& clock, const std::string& name, double x) {
  Series series = linear(clock, name, 1, 0);
  series.prepare = [x, works = series.prepare](double size) {
    if (size >= x) throw std::runtime_error("no memory for " + std::to_string(static_cast<int>(size)));
    return works(size);
  };
  return series;
}

inline Series missing(const std::string& name) {
  return {name, DeviceKind::cuda,
          [] {
            return Availability{false, "no such device"};
          },
          [](double) -> std::unique_ptr<Measurement> { throw std::logic_error("prepared"); }};
}

inline Experiment experiment(std::vector<Series> series, std::vector<double> xs = {1, 10, 100}) {
  return {.id = "fake", .title = "A fake", .axis = "things", .xs = std::move(xs), .series = std::move(series)};
}

}  // namespace satdof::lab::test
