#include "cuda/sort/onesweep.cuh"

#include "cuda/sort/factories.h"

namespace satdof::cuda {

std::unique_ptr<Sorter> makeOnesweepSorter(std::uint32_t count) {
  return onesweep::makeSorter<onesweep::IntegerKeys<4>>(count);
}

}  // namespace satdof::cuda
