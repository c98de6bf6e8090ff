#include <vector>

#include "app/core/thread_pool.h"
#include "app/device/cpu/compact.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

struct Case {
  std::uint32_t count;
  double percent;
};

template <class CaseOf>
std::vector<Series> compactionSeries(const CaseOf& caseOf) {
  std::vector<Series> series;
  for (const CpuCompactionInfo& info : kCpuCompactions)
    series.push_back({info.name, DeviceKind::processor, always(), [run = info.run, caseOf](double x) {
                        const Case of = caseOf(x);
                        return measureOnProcessor(
                            [run, pool = std::make_shared<ThreadPool>(hardwareThreads()),
                             flags = randomFlags(of.count, of.percent),
                             indices = std::make_shared<std::vector<std::uint32_t>>(of.count)] {
                              run(*pool, flags, *indices);
                            });
                      }});
  for (const CompactionInfo& info : entries(Compaction{}))
    series.push_back({std::string("cuda ") + info.name, DeviceKind::cuda,
                      [compaction = info.value] { return availability(compaction); },
                      [compaction = info.value, caseOf](double x) {
                        const Case of = caseOf(x);
                        return cudaMeasurements().compact(compaction, of.count, of.percent);
                      }});
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
