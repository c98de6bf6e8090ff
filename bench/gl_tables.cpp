#include <memory>
#include <stdexcept>
#include <string>

#include "app/lab/series.h"
#include "app/run/system/headless_context.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

Result table(DeviceId device, TableFormat format, Size size) {
  needContext();
  if (const Availability& here = availability(device); !here.available) throw std::runtime_error(here.reason);
  const glm::ivec2 extent(size.width, size.height);
  const auto time = [](lab::Measurement& of) { return samplesOf([&] { return of.kernelUs(); }, 1e5, 50); };
  const double limitUs = time(*lab::measureGlCopy(extent)).medianUs();
  return {time(*lab::measureGlTable(device, format, extent)), size.pixels() * (8 + 16), limitUs};
}

}  // namespace

void needContext() { static const HeadlessContext context(false); }

void addGlTables() {
  std::vector<Size> sizes{{64, 64}};
  sizes.insert(sizes.end(), std::begin(kSizes), std::end(kSizes));
  for (const Size size : sizes)
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32})
      for (const DeviceId device : {DeviceId::glCompute, DeviceId::glFragment})
        addRow(path({"table", name(device), name(format), nameOf(size)}), [=] { return table(device, format, size); });
}

}  // namespace satdof::bench
