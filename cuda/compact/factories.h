#pragma once
#include "cuda/compact/compactor.h"

// One factory per variant, in the source file of that name. `count`: 1 to 2^30. `scan`: any but Scan::fused.
namespace satdof::cuda {

std::unique_ptr<Compactor> makeScanScatterCompactor(std::uint32_t count, Scan scan);
std::unique_ptr<Compactor> makeSequentialCompactor(std::uint32_t count);
std::unique_ptr<Compactor> makeDecoupledLookbackCompactor(std::uint32_t count);
std::unique_ptr<Compactor> makeCubCompactor(std::uint32_t count);

}  // namespace satdof::cuda
