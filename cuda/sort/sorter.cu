#include <stdexcept>
#include <string>

#include "cuda/scan/scan.h"
#include "cuda/sort/factories.h"

namespace satdof::cuda {

namespace {

// For no records.
class EmptySorter : public Sorter {
  void enqueue(Records, MutableRecords, CUstream_st*) override {}
};

}  // namespace

std::unique_ptr<Sorter> makeSorter(Sort sort, std::uint32_t count, Scan scan) {
  if (count > 1u << 30)
    throw std::runtime_error("cannot sort " + std::to_string(count) + " records at once: choose at most 1073741824");
  if (count == 0) return std::make_unique<EmptySorter>();
  switch (sort) {
    case Sort::merge:
      return makeMergeSorter(count);
    case Sort::mergeTwoBuffers:
      return makeMergeTwoBuffersSorter(count);
    case Sort::split:
      return makeSplitSorter(count, rowScanOf(scan));
    case Sort::onesweep:
      return makeOnesweepSorter(count);
    case Sort::cub:
      return makeCubSorter(count);
  }
  throw std::runtime_error("unknown sort " + std::to_string(static_cast<int>(sort)));
}

}  // namespace satdof::cuda
