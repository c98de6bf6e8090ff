#include <stdexcept>

#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/lens/box/box.h"

namespace satdof {

std::unique_ptr<BokehCollector> makeCudaBokehCollector(const BokehCollectorOptions&) {
  throw std::runtime_error(
      "cannot collect highlights on CUDA, which is not built: configure with -DCUDA=ON, or choose another "
      "--backend");
}

std::unique_ptr<NearScatter> makeCudaNearScatter(const Technique&) {
  throw std::runtime_error(
      "cannot scatter the near field on CUDA, which is not built: configure with -DCUDA=ON, or choose "
      "another "
      "--backend");
}

std::unique_ptr<Lens> makeCudaSingleTableLens(const Technique& technique, const BlurRule&) {
  throw std::runtime_error(std::string("--lens-on ") + name(technique.lensOn) +
                           " needs CUDA, which is not built: configure with -DCUDA=ON, or choose gl");
}

}  // namespace satdof
