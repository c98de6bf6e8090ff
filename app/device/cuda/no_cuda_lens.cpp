#include <stdexcept>

#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/lens/box/box.h"

namespace satdof {

std::unique_ptr<HighlightSource> makeCudaHighlightSource(const HighlightSourceOptions&) {
  throw std::runtime_error(
      "cannot collect highlights on CUDA, which is not built: configure with -DCUDA=ON, or choose another "
      "--backend");
}

std::unique_ptr<NearSpread> makeCudaNearSpread(const Method&) {
  throw std::runtime_error(
      "cannot spread the near field on CUDA, which is not built: configure with -DCUDA=ON, or choose another "
      "--backend");
}

std::unique_ptr<Lens> makeCudaSingleTableLens(const Method& method, const BlurRule&) {
  throw std::runtime_error(std::string("--lens-on ") + name(method.lensOn) +
                           " needs CUDA, which is not built: configure with -DCUDA=ON, or choose gl");
}

}  // namespace satdof
