#include "app/device/cpu/scan.h"
#include "app/core/system/thread_pool.h"
#include "app/device/gl/scan.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

using Words = std::vector<std::uint32_t>;

template <class T>
std::vector<T> inputOf(std::size_t count);
template <>
std::vector<std::uint32_t> inputOf(std::size_t count) {
  return randomWords(count, 256);
}
template <>
std::vector<float> inputOf(std::size_t count) {
  return randomFloats(count, 256);
}

template <class T>
std::unique_ptr<Measurement> measureCpuScan(CpuScanFunction<T> scan, std::size_t count) {
  return measureOnProcessor([scan, pool = std::make_shared<ThreadPool>(hardwareThreads()), in = inputOf<T>(count),
                             out = std::make_shared<std::vector<T>>(count)] { scan(*pool, in, *out, false); });
}

std::unique_ptr<Measurement> measureCpuRowScans(std::uint32_t length, std::uint32_t rows, int threads) {
  return measureOnProcessor([length, rows, pool = std::make_shared<ThreadPool>(threads),
                             in = inputOf<std::uint32_t>(std::size_t{length} * rows),
                             out = std::make_shared<Words>(std::size_t{length} * rows)] {
    const int parts = pool->threads();
    ThreadPool* const noThreads = pool.get();
    pool->forEach(parts, [&](int part) {
      const auto begin = std::size_t{rows} * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts);
      const auto end = std::size_t{rows} * (static_cast<std::size_t>(part) + 1) / static_cast<std::size_t>(parts);
      for (std::size_t row = begin; row < end; ++row)
        scanSequential<std::uint32_t>(*noThreads, std::span(in).subspan(row * length, length),
                                      std::span(*out).subspan(row * length, length), false);
    });
  });
}

// Adds a series for every CUDA scan of arrays and rows; Scan::fused builds only tables.
template <class CaseOf>
void addCudaScans(std::vector<Series>& series, const CaseOf& caseOf) {
  addCuda<Scan>(series, [caseOf](Scan scan, double x) {
    return cudaMeasurements().scan(scan, caseOf(static_cast<std::uint32_t>(x)));
  });
  std::erase_if(series, [](const Series& each) { return each.name == std::string("cuda ") + name(Scan::fused); });
}

std::unique_ptr<Measurement> measureFragmentScan(std::uint32_t count) {
  return measureFolded(count, inputOf<std::uint32_t>, [count](int width) {
    const auto scan = std::make_shared<GlFragmentScan>(width, count);
    return [scan](const gl::Texture& elements) -> const gl::Texture& { return scan->run(elements); };
  });
}

}  // namespace

std::vector<Series> scanSeries(Element element) {
  std::vector<Series> series;
  series.reserve(std::size(kCpuScans));
  for (const CpuScanInfo& info : kCpuScans)
    series.push_back(cpuSeries(
        info.name,
        [info, element](double x) {
          const auto count = static_cast<std::size_t>(x);
          return element == Element::uint32 ? measureCpuScan(info.uint32, count) : measureCpuScan(info.float32, count);
        },
        info.summary));
  series.push_back(glSeries(
      kFragmentScan, [](double x) { return measureFragmentScan(static_cast<std::uint32_t>(x)); },
      "OpenGL fragment shaders, one pass a step"));
  addCudaScans(series, [element](std::uint32_t x) { return ScanCase{.element = element, .length = x}; });
  return series;
}

std::vector<Series> ablationSeries() {
  std::vector<Series> series;
  const CudaMeasurements& cuda = cudaMeasurements();
  if (cuda.ablations == nullptr) return series;
  for (const auto& [name, summary] : cuda.ablations())
    series.push_back(cudaSeries(
        name,
        [index = series.size()](double x) {
          return cudaMeasurements().ablatedScan(index,
                                                {.element = Element::float32, .length = static_cast<std::uint32_t>(x)});
        },
        summary));
  return series;
}

std::vector<Series> rowScanSeries(std::uint32_t total) {
  std::vector<Series> series;
  const auto add = [&](const char* name, int threads) {
    series.push_back(cpuSeries(
        name,
        [total, threads](double x) {
          const auto length = static_cast<std::uint32_t>(x);
          return measureCpuRowScans(length, total / length, threads);
        },
        threads == 1 ? "one core" : "all cores, each some of the rows"));
  };
  add("cpu-sequential", 1);
  add("cpu", hardwareThreads());
  addCudaScans(series, [total](std::uint32_t x) { return ScanCase{.length = x, .rows = total / x}; });
  return series;
}

}  // namespace satdof::lab
