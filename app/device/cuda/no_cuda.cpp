#include <stdexcept>

#include "app/device/cuda/table_builder.h"

namespace satdof {

Availability cudaAvailability() { return {false, "not built"}; }

std::unique_ptr<TableBuilder> makeCudaTableBuilder(const Technique&) {
  throw std::runtime_error(
      "the CUDA device is not built: configure with -DCUDA=ON, or choose another --backend");
}

}  // namespace satdof
