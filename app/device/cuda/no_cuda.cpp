#include <stdexcept>

#include "app/device/cuda/table_builder.h"

namespace satdof {

Availability cudaAvailability() { return {false, "not built"}; }

std::unique_ptr<SatBackend> makeCudaBackend(const Method&) {
  throw std::runtime_error(
      "the CUDA backend is not built: configure with -DCUDA=ON, or choose another --backend");
}

}  // namespace satdof
