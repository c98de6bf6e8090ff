#include "app/device/near_scatter.h"

#include <algorithm>
#include <thread>

namespace satdof {

std::unique_ptr<NearSpread> makeNearSpread(Method method) {
  method.format = SatFormat::uint32;
  switch (resolve(method.backend)) {
    case Backend::cuda:
      return makeCudaNearSpread(method);
    case Backend::cpu:
      return makeCpuNearSpread(method, std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    case Backend::cpuSequential:
      return makeCpuNearSpread(method, 1);
    default:
      return makeGlNearSpread(method);
  }
}

}  // namespace satdof
