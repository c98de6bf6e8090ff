#include "bench/bench.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>
#include <string_view>

#include "app/lab/runner.h"

namespace satdof::bench {

namespace {

std::vector<std::string> rowNames;

// The number of rows that --benchmark_filter selects.
long chosenRows() {
  std::string filter = benchmark::GetBenchmarkFilter();
  if (filter == "all") filter = ".";
  const bool negated = filter.starts_with('-');
  const std::regex pattern(negated ? filter.substr(1) : filter);
  return std::count_if(rowNames.begin(), rowNames.end(), [&](const std::string& row) {
    return std::regex_search(row + "/iterations:1/manual_time", pattern) != negated;
  });
}

// Prints "[12/345] name" to stderr if stderr is a terminal.
void showProgress(const std::string& name) {
  if (isatty(STDERR_FILENO) == 0) return;
  static const long total = chosenRows();
  static long done = 0;
  std::fprintf(stderr, "\r\033[K[%ld/%ld] %s", ++done, total, name.c_str());
  if (done == total) std::fputs("\r\033[K", stderr);
}

void runRow(benchmark::State& state, const std::string& name, const std::function<Result()>& measure) {
  showProgress(name);
  for ([[maybe_unused]] auto _ : state) {
    try {
      const Result result = measure();
      const double seconds = result.time.medianUs() * 1e-6;
      state.SetIterationTime(seconds);
      if (result.bytes > 0) {
        state.counters["bytes"] = result.bytes;
        state.counters["gigabytesPerSecond"] = result.bytes / seconds * 1e-9;
      }
      state.counters["fastestUs"] = result.time.fastestUs();
      state.counters["scatter"] = result.time.scatter();
      state.counters["samples"] = static_cast<double>(result.time.samplesUs.size());
      for (const auto& [counter, value] : result.counters) state.counters[counter] = value;
      if (result.limitUs > 0) {
        state.counters["limitUs"] = result.limitUs;
        state.counters["ratioToLimit"] = result.time.medianUs() / result.limitUs;
      }
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      break;
    }
  }
}

double percentile(std::vector<double> samples, double fraction) {
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<std::size_t>(std::lround(fraction * static_cast<double>(samples.size() - 1)))];
}

}  // namespace

std::string nameOf(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::string path(std::initializer_list<std::string> parts) {
  std::string joined;
  for (const std::string& part : parts) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

double Measurement::medianUs() const { return percentile(samplesUs, 0.5); }
double Measurement::fastestUs() const { return *std::min_element(samplesUs.begin(), samplesUs.end()); }
double Measurement::scatter() const { return (percentile(samplesUs, 0.9) - percentile(samplesUs, 0.1)) / medianUs(); }

void addRow(const std::string& name, std::function<Result()> measure) {
  rowNames.push_back(name);
  benchmark::RegisterBenchmark(
      name.c_str(), [name, measure = std::move(measure)](benchmark::State& state) { runRow(state, name, measure); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

Measurement samplesOf(const std::function<double()>& sampleUs, double budgetUs, std::size_t most) {
  constexpr std::size_t kMinSamples = 5;
  for (int warmUp = 0; warmUp < 2; ++warmUp) sampleUs();
  Measurement measurement;
  auto& samples = measurement.samplesUs;
  const double endUs = lab::Runner::wallClockUs() + budgetUs;
  while (samples.size() < kMinSamples || (samples.size() < most && lab::Runner::wallClockUs() < endUs))
    samples.push_back(sampleUs());
  return measurement;
}

Measurement timeOnCpu(const std::function<void()>& work) {
  return samplesOf(
      [&] {
        const double startUs = lab::Runner::wallClockUs();
        work();
        return lab::Runner::wallClockUs() - startUs;
      },
      3e5, 200);
}

}  // namespace satdof::bench

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--kernel") return satdof::bench::runKernel({argv + 2, argv + argc});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  satdof::bench::addCpuTables();
  satdof::bench::addGlTables();
  satdof::bench::addFrames();
  satdof::bench::addOpenCvTables();
  satdof::bench::addCudaRows();
  satdof::bench::addLabRows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
