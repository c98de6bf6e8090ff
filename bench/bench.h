#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

// One row of the benchmark is one call whose time the row measures itself: warmed up, repeated, the median
// reported as the row's time.
namespace satdof::bench {

struct Size {
  int width, height;
  double pixels() const { return double{1} * width * height; }
};
inline constexpr Size kSizes[] = {{512, 512}, {1024, 1024}, {1920, 1080}, {3840, 2160}, {7680, 4320}};
inline constexpr Size kCpuSizes[] = {{512, 512},   {1024, 1024}, {1280, 720},
                                     {1920, 1080}, {3840, 2160}, {7680, 4320}};
std::string nameOf(Size size);
// The parts with slashes between them.
std::string path(std::initializer_list<std::string> parts);

struct Measurement {
  std::vector<double> samplesUs;  // of one call each
  double medianUs() const;
  double fastestUs() const;
  // From the 10th to the 90th percentile, over the median.
  double scatter() const;
};

// What a row reports. `bytes` are those that one call has to move at least: its inputs once, its outputs
// once.
struct Result {
  Measurement time;
  double bytes = 0;
  double limitUs = 0;  // time in which the same bytes were copied, in the same run; 0 where none was measured
};

// Registers a row. A row that throws is reported as failed, with the reason.
void addRow(const std::string& name, std::function<Result()> measure);

// Calls `work` for a few tenths of a second and times each call by the wall clock.
Measurement timeOnCpu(const std::function<void()>& work);

// Each registers its rows, and says in the output's context which peer is absent and why.
void addCpuTables();
void addGlTables();
void addOpenCvTables();
void addCudaRows();

}  // namespace satdof::bench
