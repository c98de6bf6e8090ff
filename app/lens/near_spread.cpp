#include "app/lens/near_spread.h"

#include <algorithm>
#include <thread>

namespace satdof {

std::unique_ptr<NearSpread> makeNearSpread(Backend backend) {
  switch (backend) {
    case Backend::cuda:
      return makeCudaNearSpread();
    case Backend::cpu:
      return makeCpuNearSpread(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    case Backend::cpuSequential:
      return makeCpuNearSpread(1);
    default:
      return makeGlNearSpread();
  }
}

}  // namespace satdof
