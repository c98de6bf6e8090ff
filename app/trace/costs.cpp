#include "app/trace/costs.h"

#include <algorithm>
#include <string_view>

namespace satdof::trace {

Costs costsOf(const std::string& kernel) {
  constexpr double kSectorBytes = 32, kElementBytes = 4;
  const Counts counts = count({.kernel = kernel, .elements = kCostElements, .data = Data::random});
  const Tally& all = counts.total;
  Costs costs{.kernel = kernel, .launches = counts.launches.size()};
  costs.bytesPerElement = kSectorBytes * static_cast<double>(all.globalSectors) / kCostElements;
  costs.passes = costs.bytesPerElement / (2 * kElementBytes);
  for (const LaunchInfo& launch : counts.launches)
    costs.barriersPerBlock += static_cast<double>(launch.tally.barriers) / launch.grid.count();
  if (all.sharedAccesses > 0)
    costs.passesPerAccess = static_cast<double>(all.sharedPasses) / static_cast<double>(all.sharedAccesses);
  return costs;
}

const Kernel* kernelOfCurve(const std::string& kernels, const std::string& curve) {
  constexpr std::string_view kCuda = "cuda ";
  if (kernels.empty() || !curve.starts_with(kCuda)) return nullptr;
  const std::string name = kernels + curve.substr(kCuda.size(), curve.find(',') - kCuda.size());
  const auto all = trace::kernels();
  const auto found = std::ranges::find(all, name, &Kernel::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace satdof::trace
