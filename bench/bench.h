#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

// A row of the benchmark measures the time of one call: after warm-up, repeated, reported as the median.
namespace satdof::bench {

struct Size {
  int width, height;
  double pixels() const { return double{1} * width * height; }
};
inline constexpr Size kSizes[] = {{512, 512}, {1024, 1024}, {1920, 1080}, {3840, 2160}, {7680, 4320}};
inline constexpr Size kCpuSizes[] = {{512, 512}, {1024, 1024}, {1280, 720}, {1920, 1080}, {3840, 2160}, {7680, 4320}};
std::string nameOf(Size size);
// The parts, joined by slashes: the name of a row.
std::string path(std::initializer_list<std::string> parts);

struct Measurement {
  std::vector<double> samplesUs;  // microseconds of one call
  double medianUs() const;
  double fastestUs() const;
  // (90th percentile - 10th percentile) / median.
  double scatter() const;
};

struct Result {
  Measurement time;
  double bytes = 0;    // minimal memory traffic of one call: inputs and outputs once; 0: not counted
  double limitUs = 0;  // time to copy the same bytes in the same run; 0: not measured
  std::map<std::string, double> counters{};  // further figures by name
};

// Registers a row. If `measure` throws, the row is reported as failed, with the reason.
void addRow(const std::string& name, std::function<Result()> measure);

// Samples by sampleUs(), after 2 warm-up calls: 5 to `most` samples, in about `budgetUs` of wall-clock time.
Measurement samplesOf(const std::function<double()>& sampleUs, double budgetUs, std::size_t most);
// Times calls of `work` by the wall clock, for 0.3 s.
Measurement timeOnCpu(const std::function<void()>& work);

// Each function registers its rows. If a library to compare with is absent, the context of the output says
// why.
void addCpuTables();
void addGlTables();
// Rows frame/DEVICE/LENS/SIZE: whole frames. LENS-2: with two layers; sharp: without a lens. photograph/...:
// an image with depth. Counters: sceneUs, drawing of the scene; addsUs, the frame without scene and present;
// p99Us, 99th percentile; pulledUs and pulledP99Us, median and 99th percentile while the focus moves;
// crossings, transfers from OpenGL to CUDA and back per frame.
void addFrames();
void addOpenCvTables();
void addCudaRows();
// The experiments of the laboratory: rows lab/EXPERIMENT/SERIES/SIZE/kernel and .../end-to-end.
void addLabRows();

// The first call creates an OpenGL context for all rows and makes it current.
void needContext();

// satdof_bench --kernel NAME [--elements N] [--block-size B] [--data NAME|FILE]: one launch of a kernel of
// satdof --trace on the GPU, for profilers. `arguments`: from NAME on. Returns the exit status.
int runKernel(std::span<char*> arguments);

}  // namespace satdof::bench
