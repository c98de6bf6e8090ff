#include <random>

#include "app/core/thread_pool.h"
#include "app/device/cpu/compact.h"
#include "app/device/cpu/scan.h"
#include "app/device/cpu/sort.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

using Words = std::vector<std::uint32_t>;

Words randomWords(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  Words words(count);
  for (auto& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

Result scan(const CpuScanInfo& info, std::size_t count) {
  ThreadPool pool(hardwareThreads());
  const std::vector<float> in(count, 1.0f);
  std::vector<float> out(count);
  const Measurement time = timeOnCpu([&] { info.float32(pool, in, out, false); });
  return {time, 8.0 * static_cast<double>(count)};
}

Result compact(const CpuCompactionInfo& info, std::size_t count, unsigned percent) {
  ThreadPool pool(hardwareThreads());
  Words flags = randomWords(count), indices(count);
  for (auto& flag : flags) flag = flag % 100 < percent;
  std::uint32_t kept = 0;
  const Measurement time = timeOnCpu([&] { kept = info.run(pool, flags, indices); });
  return {time, 4.0 * (static_cast<double>(count) + kept)};
}

// Includes a copy of the records: the sorts work in place.
Result sort(const CpuSortInfo& info, std::size_t count, bool withValues) {
  ThreadPool pool(hardwareThreads());
  CpuSortScratch scratch;
  const Words in = randomWords(count);
  Words keys, values;
  const Measurement time = timeOnCpu([&] {
    keys = in;
    if (withValues) values = in;
    info.run(pool, keys, values, scratch);
  });
  return {time, (withValues ? 16.0 : 8.0) * static_cast<double>(count)};
}

}  // namespace

void addCpuPrimitives() {
  for (const std::size_t count : {1'000, 10'000, 100'000, 1'000'000, 1 << 22}) {
    const std::string size = std::to_string(count);
    for (const CpuScanInfo& info : kCpuScans)
      addRow(path({"scan", info.name, "float32/exclusive", size}), [=] { return scan(info, count); });
    for (const CpuCompactionInfo& info : kCpuCompactions)
      for (const unsigned percent : {1u, 50u})
        addRow(path({"compact", info.name, std::to_string(percent) + "-percent", size}),
               [=] { return compact(info, count, percent); });
    for (const CpuSortInfo& info : kCpuSorts)
      for (const bool withValues : {false, true})
        addRow(path({"sort", info.name, withValues ? "pairs" : "keys", size}),
               [=] { return sort(info, count, withValues); });
  }
}

}  // namespace satdof::bench
