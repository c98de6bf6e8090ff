#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

// A row of the benchmark measures the time of one call: warmed up, repeated, the median reported.
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

// The report of a row. `bytes`: the least memory traffic of one call, its inputs once and its outputs once.
struct Result {
  Measurement time;
  double bytes = 0;                          // 0: not counted
  double limitUs = 0;                        // time to copy the same bytes in the same run; 0 if not measured
  std::map<std::string, double> counters{};  // further figures by name
};

// Registers a row. A row that throws is reported as failed, with the reason.
void addRow(const std::string& name, std::function<Result()> measure);

// Calls `sampleUs` after warming up, for `budgetUs` by the wall clock: 5 to `most` times.
Measurement samplesOf(const std::function<double()>& sampleUs, double budgetUs, size_t most);
// Calls `work` for a few tenths of a second and times each call by the wall clock.
Measurement timeOnCpu(const std::function<void()>& work);

// Each function registers its rows. If a peer library is absent, the context of the output says why.
void addCpuTables();
void addGlTables();
// Rows frame/DEVICE/LENS/SIZE: whole frames; LENS-2: in two layers; sharp: without a lens. photograph/...: of an image with depth.
// sceneUs: drawing the scene; addsUs: the frame less scene and present; p99Us: its 99th percentile; pulledUs, pulledP99Us: the same
// while the focus moves; crossings: from OpenGL to CUDA and back, in each frame.
void addFrames();
void addOpenCvTables();
void addCudaRows();
// The experiments of the laboratory: rows lab/EXPERIMENT/SERIES/SIZE/kernel and .../end-to-end.
void addLabRows();

// Makes the OpenGL context of all rows current. It is made by the first call.
void needContext();

// satdof_bench --kernel NAME [--elements N] [--block-size B] [--data NAME|FILE]: one call of a kernel of satdof --trace on
// the GPU, for profilers. `arguments`: from NAME on. Returns the exit status.
int runKernel(std::span<char*> arguments);

}  // namespace satdof::bench
