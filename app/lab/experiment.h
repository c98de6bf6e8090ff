#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/device/device.h"
#include "app/lab/results.h"

// The laboratory: experiments that time the same work at several sizes on several devices.
namespace satdof::lab {

// Work prepared for one size: memory is allocated and inputs are generated.
class Measurement {
 public:
  virtual ~Measurement() = default;
  // Runs the work once. Returns its time in microseconds by the timer of the device, without copies.
  virtual double kernelUs() = 0;
  // Runs the work once. Returns the wall time in microseconds, including copies to and from the device, launch and
  // synchronisation. Not called for CPU series, which work in main memory.
  virtual double endToEndUs() = 0;
};

// A curve of an experiment: a device, or a variant on a device.
struct Series {
  std::string name;  // unique within the experiment
  DeviceKind kind = DeviceKind::processor;
  std::function<Availability()> probe;
  // Prepares the work for size `x`. Throws std::runtime_error on failure, such as out of memory.
  std::function<std::unique_ptr<Measurement>(double x)> prepare;
  std::string summary = {};  // one line for legends and files
};

// Returns why the series cannot run on this machine; empty if it can.
std::string missingReason(const Series& series);

// A published measurement.
struct PublishedPoint {
  double x = 0, timeUs = 0;
};

struct PublishedSeries {
  std::string name;  // unique within the experiment: source and hardware
  DeviceKind kind = DeviceKind::processor;
  bool endToEnd = false;  // the times include launch, copies and synchronisation
  std::vector<PublishedPoint> points;
};

struct Experiment {
  std::string id;  // as in --lab-only
  std::string title;
  std::string axis;         // quantity x: "elements"
  std::string source = {};  // reproduced figure: "class report, UT Austin, section IV, table I"; empty: none
  // With "scan/", the curve "cuda NAME" can be traced as kernel scan/NAME; empty: no curve can.
  std::string kernels = {};
  bool tables = false;  // curves are named "DEVICE" or "cuda SCAN": a click selects that technique
  double growth = 1;    // time grows about as x^growth
  std::vector<double> xs;
  std::vector<Series> series;
  std::vector<PublishedSeries> published = {};
  std::vector<Curve> stored = {};  // addStored()
};

// Returns all experiments, in the order of the panel. Their functions need a current OpenGL context.
std::vector<Experiment> experiments();

// Returns the experiments in `list`, names separated by commas: identifiers, "curves" for all without a source,
// "figures" for all with one. Empty: all. In the order of experiments(). Throws UsageError for an unknown name.
std::vector<Experiment> selectExperiments(const std::string& list);

// For each series that cannot run here, adds the curve of the same name from `stored`, the results of another machine,
// as "NAME, stored".
void addStored(std::vector<Experiment>& experiments, const Results& stored);
// Returns the results of a GPU in assets/. Throws std::runtime_error with the reason.
Results storedResults();

// Returns the experiments without a source, each at three sizes, for --share.
std::vector<Experiment> shortExperiments();

}  // namespace satdof::lab
