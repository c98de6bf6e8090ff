#include "app/sat/cuda.h"

#include <stdexcept>

namespace satdof {

Availability cudaAvailability() { return {false, "its table pipeline is not built"}; }

std::unique_ptr<SatBackend> makeCudaBackend(const Method&) {
  throw std::runtime_error("the CUDA backend's table pipeline is not built: choose another --backend");
}

}  // namespace satdof
