#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/compact.h"
#include "app/device/gl/compact.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

struct Case {
  std::uint32_t count;
  double percent;
};

std::unique_ptr<Measurement> measureFragmentCompaction(const Case& work) {
  const auto flags = [percent = work.percent](std::size_t n) { return randomFlags(n, percent); };
  return measureFolded(work.count, flags, [count = work.count](int width) {
    const auto compactor = std::make_shared<GlFragmentCompactor>(width, count, width, count);
    return [compactor](const gl::Texture& folded) -> const gl::Texture& { return *compactor->run(folded).indices; };
  });
}

template <class CaseOf>
std::vector<Series> compactionSeries(const CaseOf& caseOf) {
  std::vector<Series> series;
  series.reserve(std::size(kCpuCompactions));
  for (const CpuCompactionInfo& info : kCpuCompactions)
    series.push_back(cpuSeries(
        info.name,
        [run = info.run, caseOf](double x) {
          const Case work = caseOf(x);
          return measureOnProcessor(
              [run, pool = std::make_shared<ThreadPool>(hardwareThreads()),
               flags = randomFlags(work.count, work.percent),
               indices = std::make_shared<std::vector<std::uint32_t>>(work.count)] { run(*pool, flags, *indices); });
        },
        info.summary));
  series.push_back(glSeries(
      "gl-fragment", [caseOf](double x) { return measureFragmentCompaction(caseOf(x)); },
      "OpenGL fragment shaders: scan of the flags, then a search for each element"));
  addCuda<Compaction>(series, [caseOf](Compaction compaction, double x) {
    const Case work = caseOf(x);
    return cudaMeasurements().compact(compaction, work.count, work.percent);
  });
  return series;
}

}  // namespace

std::vector<Series> compactionBySize(double percent) {
  return compactionSeries([percent](double x) { return Case{static_cast<std::uint32_t>(x), percent}; });
}

std::vector<Series> compactionByDensity(std::uint32_t count) {
  return compactionSeries([count](double x) { return Case{count, x}; });
}

}  // namespace satdof::lab
