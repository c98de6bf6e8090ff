#include <memory>
#include <stdexcept>
#include <string>

#include "app/lab/table_benchmark.h"
#include "app/run/headless_context.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

Result table(DeviceId device, TableFormat format, Size size) {
  needContext();
  if (const Availability& here = availability(device); !here.available) throw std::runtime_error(here.reason);
  TableBenchmark benchmark({size.width, size.height}, {{.device = device, .table = {.format = format}}});
  while (!benchmark.finished()) benchmark.advance();
  const BenchmarkRow& row = benchmark.rows().front();
  if (!row.error.empty()) throw std::runtime_error(row.error);
  return {{{row.samplesUs.begin(), row.samplesUs.end()}}, size.pixels() * (8 + 16), benchmark.copy().timeUs};
}

}  // namespace

void needContext() { static const HeadlessContext context(false); }

void addGlTables() {
  std::vector<Size> sizes{{64, 64}};
  sizes.insert(sizes.end(), std::begin(kSizes), std::end(kSizes));
  for (const Size size : sizes)
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32})
      for (const DeviceId device : {DeviceId::glCompute, DeviceId::glFragment})
        addRow(path({"table", name(device), name(format), nameOf(size)}),
               [=] { return table(device, format, size); });
}

}  // namespace satdof::bench
