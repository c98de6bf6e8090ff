#pragma once
#include <memory>

#include "app/lens/lens.h"

// Makes a lens that runs its graphs on CUDA, for a row with LensRow::readsLensOn: on the GPU (SATDOF_HAS_CUDA) or
// emulated (SATDOF_HAS_EMULATOR). With bokeh sprites if the technique enables them.
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
