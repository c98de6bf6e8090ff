#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/device/device.h"
#include "app/lab/results.h"

// The laboratory: experiments that time the same work by size on several devices.
namespace satdof::lab {

// Work prepared for one size: memory is allocated, inputs are generated.
class Measurement {
 public:
  virtual ~Measurement() = default;
  // Microseconds of the work alone, by the timer of the device. Inputs and outputs stay in its memory.
  virtual double kernelUs() = 0;
  // Microseconds by the wall clock: inputs copied to the device, launch, work, waiting, outputs copied back.
  // Not called for series of the processor, which works in main memory.
  virtual double endToEndUs() = 0;
};

// One curve: a device or a variant that does the work of the experiment.
struct Series {
  std::string name;  // unique within the experiment
  DeviceKind kind = DeviceKind::processor;
  std::function<Availability()> probe;
  // Prepares the work for size `x`. Throws std::runtime_error if it cannot, such as without memory.
  std::function<std::unique_ptr<Measurement>(double x)> prepare;
  std::string summary = {};  // what it does
};

// Why the series cannot run on this machine, in one sentence; empty: it can.
std::string missingReason(const Series& series);

// A number that a document published.
struct PublishedPoint {
  double x = 0, timeUs = 0;
};

struct PublishedSeries {
  std::string name;  // unique within the experiment: source and hardware
  DeviceKind kind = DeviceKind::processor;
  bool endToEnd = false;  // whether the times contain launch, copies and waiting
  std::vector<PublishedPoint> points;
};

struct Experiment {
  std::string id;  // as in --lab-only
  std::string title;
  std::string axis;  // what x counts: "elements"
  std::string source =
      {};  // the figure that it reproduces: "class report, UT Austin, section IV, table I"; empty: none
  // "scan/": curves "cuda NAME" are the kernel scan/NAME of a trace; empty: none are.
  std::string kernels = {};
  bool tables = false;  // curves are named "DEVICE" or "cuda SCAN": a click in the window uses that technique
  double growth = 1;    // time is about proportional to x to this power
  std::vector<double> xs;
  std::vector<Series> series;
  std::vector<PublishedSeries> published = {};
  std::vector<Curve> stored = {};  // addStored()
};

// Every experiment, in the order of the panel. The functions in the rows need a current OpenGL context.
std::vector<Experiment> experiments();

// The experiments that `list` names, separated by commas, in the order of experiments(): identifiers, "curves"
// for all without a source, "figures" for all with one. Empty: all. Throws UsageError for an unknown name.
std::vector<Experiment> selectExperiments(const std::string& list);

// Gives every experiment the curves of the same name in `stored`, results of another machine, for its series that cannot run
// here. They are named "NAME, stored".
void addStored(std::vector<Experiment>& experiments, const Results& stored);
// The results in assets, of a GPU. Throws std::runtime_error with the reason.
Results storedResults();

// The experiments without a source, each at three sizes: for --share.
std::vector<Experiment> shortExperiments();

}  // namespace satdof::lab
