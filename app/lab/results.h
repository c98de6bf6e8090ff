#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/device/device.h"

// Results of the laboratory: plain values for plots and files.
namespace satdof::lab {

// Whether a time covers only the work, or also launch, copies and synchronisation.
enum class Timed { kernel, endToEnd };

// Median, 10th and 90th percentile of repeated samples.
struct Spread {
  double medianUs = 0, lowUs = 0, highUs = 0;
  int samples = 0;  // 0: published, or not measured
  bool operator==(const Spread&) const = default;
};

// Returns the spread of `samplesUs` by nearest-rank percentiles.
Spread spreadOf(std::vector<double> samplesUs);

struct Point {
  double x = 0;
  std::optional<Spread> kernel = {}, endToEnd = {};
  const std::optional<Spread>& time(Timed timed) const { return timed == Timed::kernel ? kernel : endToEnd; }
  bool operator==(const Point&) const = default;
};

struct Curve {
  std::string name;
  DeviceKind kind = DeviceKind::processor;
  bool published = false;
  std::vector<Point> points = {};  // ascending x
  std::string note = {};           // why the curve is missing or ends early; empty: it is complete
  std::string summary = {};        // Series::summary
  std::string machine = {};        // of a stored curve: machineText() of its measurement; empty: this machine
  bool operator==(const Curve&) const = default;
};

struct ExperimentResult {
  std::string id, title, axis, source;
  std::vector<Curve> curves = {};
  bool operator==(const ExperimentResult&) const = default;
};

// Names and values that describe a run, such as {"gpu", "NVIDIA H100 80GB HBM3"}.
using Context = std::vector<std::pair<std::string, std::string>>;

struct Results {
  Context context;
  std::vector<ExperimentResult> experiments;
  bool operator==(const Results&) const = default;
};

// "processor", "opengl", "cuda".
const char* name(DeviceKind kind);
std::span<const EnumEntry<Timed>> entries(Timed);

// Returns a number with as few digits as needed: "1024", "0.5".
std::string numberText(double value);
bool isPowerOfTwo(double value);
// Returns the binary unit of a size: 1, 1024 or 1024^2.
double sizeUnit(double value);
// Returns a size as "1 K" or "16 M" in binary units, else as "1000" or "1e6".
std::string sizeText(double value, bool powersOfTwo);
inline std::string sizeText(double value) { return sizeText(value, isPowerOfTwo(value)); }
// Returns a time with three digits: "950 ns", "12.3 us", "1.23 ms", "2.50 s".
std::string durationText(double timeUs);

// A reason of missing or short curves.
struct CurveNote {
  std::string text;  // "cpu: ends at 2 M"; with several curves "2 curves: needs an NVIDIA GPU"
  // Of several curves: name and summary of each; of one: its summary, if any.
  std::vector<std::string> curves;
};
// Returns each reason once.
std::vector<CurveNote> notesOf(const ExperimentResult& result);

// Describes the machine: "NVIDIA H100, driver 580, CPU, 16 threads, 2026-11-22, commit 1234abc".
std::string machineText(const Context& context);

// Explains the error bars, "bars: 10th to 90th percentile of 5 to 25 samples", and names the machines of stored curves.
std::vector<std::string> spreadNotes(const ExperimentResult& result, Timed timed);

// Reduces every path in a text to its last component: CUDA errors contain source paths.
std::string withoutPaths(const std::string& text);

// Returns the time of `curve` at `x`, interpolated linearly in a log-log plot. Nothing outside its points.
std::optional<double> timeAt(const Curve& curve, Timed timed, double x);

// Returns the time of `baseline` over the time of `curve` at `x`.
std::optional<double> speedUp(const Curve& baseline, const Curve& curve, Timed timed, double x);

// Returns the size from which `curve` is faster than `baseline` up to the largest common size. Nothing if it is slower
// there or faster everywhere.
std::optional<double> crossover(const Curve& baseline, const Curve& curve, Timed timed);

}  // namespace satdof::lab
