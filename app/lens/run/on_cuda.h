#pragma once
#include <memory>

#include "app/lens/lens.h"

// The lenses whose row readsLensOn, by CUDA kernels: on the GPU (SATDOF_HAS_CUDA) and emulated (SATDOF_HAS_EMULATOR).
// With bokeh sprites if the technique enables them.
namespace satdof {

namespace on_cuda {
std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row);
}
#ifndef SATDOF_EMULATED
namespace on_cuda_emulated {
std::unique_ptr<Lens> makeLens(const Technique& technique, const LensRow& row);
}
#endif

}  // namespace satdof
