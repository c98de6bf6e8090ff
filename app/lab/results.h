#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/device/device.h"

// What the laboratory measured: plain values for plots and files.
namespace satdof::lab {

// Whether a time is of the work alone or contains launch, copies and waiting.
enum class Timed { kernel, endToEnd };

// Of repeated samples: the median, the 10th and the 90th percentile.
struct Spread {
  double medianUs = 0, lowUs = 0, highUs = 0;
  int samples = 0;  // 0: published, or not measured
  bool operator==(const Spread&) const = default;
};

// The spread of `samplesUs`; nearest rank.
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
  std::string note = {};           // why the curve ends early or is missing; empty: it is complete
  std::string summary = {};        // what it does
  std::string machine = {};        // of a stored curve: where and when it was measured; empty: this machine
  bool operator==(const Curve&) const = default;
};

struct ExperimentResult {
  std::string id, title, axis, source;
  std::vector<Curve> curves = {};
  bool operator==(const ExperimentResult&) const = default;
};

// Name and value, such as {"gpu", "NVIDIA H100 80GB HBM3"}.
using Context = std::vector<std::pair<std::string, std::string>>;

struct Results {
  Context context;
  std::vector<ExperimentResult> experiments;
  bool operator==(const Results&) const = default;
};

// "processor", "opengl", "cuda".
const char* name(DeviceKind kind);
std::span<const EnumEntry<Timed>> entries(Timed);

// "1024", "0.5": as few digits as needed.
std::string numberText(double value);
bool isPowerOfTwo(double value);
// 1, 1024 or 1024^2: the unit in which a size of powers of two is told.
double sizeUnit(double value);
// In units of powers of two "1 K", "16 M"; else "1000", "1e6".
std::string sizeText(double value, bool powersOfTwo);
inline std::string sizeText(double value) { return sizeText(value, isPowerOfTwo(value)); }
// "950 ns", "12.3 us", "1.23 ms", "2.50 s": three digits.
std::string durationText(double timeUs);

// The reasons of missing and short curves, each once: "cpu: ends at 2 M"; of several curves, their number stands first.
struct CurveNote {
  std::string text;
  std::vector<std::string>
      curves;  // of several curves: name and summary of each; of one: its summary, if any
};
std::vector<CurveNote> notesOf(const ExperimentResult& result);

// Which machine measured, with its driver and the date: "NVIDIA H100, driver 580, CPU, 16 threads, 2026-11-22, commit 1234abc".
std::string machineText(const Context& context);

// The spread of the points, "bars: 10th to 90th percentile of 5 to 25 samples", and the machines of stored curves.
std::vector<std::string> spreadNotes(const ExperimentResult& result, Timed timed);

// The text with every path cut down to its last part: errors of CUDA name source files.
std::string withoutPaths(const std::string& text);

// The time of `curve` at `x`, on straight lines between its points in a log-log plot. Empty outside its points.
std::optional<double> timeAt(const Curve& curve, Timed timed, double x);

// The time of `baseline` over the time of `curve` at `x`.
std::optional<double> speedUp(const Curve& baseline, const Curve& curve, Timed timed, double x);

// The size from which `curve` stays faster than `baseline`, up to the largest size of both. Empty if it is
// slower there, or never slower.
std::optional<double> crossover(const Curve& baseline, const Curve& curve, Timed timed);

}  // namespace satdof::lab
