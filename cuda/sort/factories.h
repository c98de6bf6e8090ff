#pragma once
#include "cuda/sort/sorter.h"

// One factory per variant, in the source file of that name. `count`: 1 to 2^30. `scan`: any but Scan::fused.
namespace satdof::cuda {

std::unique_ptr<Sorter> makeMergeSorter(std::uint32_t count);
std::unique_ptr<Sorter> makeMergeTwoBuffersSorter(std::uint32_t count);
std::unique_ptr<Sorter> makeSplitSorter(std::uint32_t count, Scan scan);
std::unique_ptr<Sorter> makeOnesweepSorter(std::uint32_t count);
std::unique_ptr<Sorter> makeCubSorter(std::uint32_t count);

}  // namespace satdof::cuda
