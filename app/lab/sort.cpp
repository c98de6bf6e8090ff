#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/sort.h"
#include "app/lab/measurements.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

std::unique_ptr<Measurement> measureCpuSort(const CpuSortInfo& info, std::size_t count, bool withValues) {
  struct Parts {
    ThreadPool pool{hardwareThreads()};
    std::vector<std::uint32_t> input, keys, values;
    CpuSortScratch scratch;
  };
  auto parts = std::make_shared<Parts>();
  parts->input = randomWords(count, std::uint64_t{1} << 32);
  const auto reset = [parts, withValues] {
    parts->keys = parts->input;
    if (withValues) parts->values = parts->input;
  };
  const auto work = [parts, run = info.run] { run(parts->pool, parts->keys, parts->values, parts->scratch); };
  reset();
  return measureOnProcessor(work, reset);
}

}  // namespace

std::vector<Series> sortSeries(bool withValues) {
  std::vector<Series> series;
  series.reserve(std::size(kCpuSorts));
  for (const CpuSortInfo& info : kCpuSorts)
    series.push_back(cpuSeries(
        info.name,
        [info, withValues](double x) { return measureCpuSort(info, static_cast<std::size_t>(x), withValues); },
        info.summary));
  addCuda<Sort>(series, [withValues](Sort sort, double x) {
    return cudaMeasurements().sort(sort, static_cast<std::uint32_t>(x), withValues);
  });
  return series;
}

}  // namespace satdof::lab
