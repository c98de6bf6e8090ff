#include "app/device/near_scatter.h"

#include <algorithm>
#include <thread>

namespace satdof {

std::unique_ptr<NearScatter> makeNearScatter(Technique technique) {
  technique.format = TableFormat::uint32;
  switch (resolve(technique.device)) {
    case DeviceId::cuda:
      return makeCudaNearScatter(technique);
    case DeviceId::cpu:
      return makeCpuNearScatter(technique,
                                std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    case DeviceId::cpuSequential:
      return makeCpuNearScatter(technique, 1);
    default:
      return makeGlNearScatter(technique);
  }
}

}  // namespace satdof
