#include <cub/device/device_radix_sort.cuh>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sort/factories.h"

namespace satdof::cuda {

namespace {

// DeviceRadixSort of the CUB library.
class CubSorter : public Sorter {
 public:
  explicit CubSorter(std::uint32_t count) : count_(count) {
    sortKeys({}, {}, nullptr);
    const std::size_t keysBytes = scratchBytes_;
    sortPairs({}, {}, nullptr);
    scratchBytes_ = std::max(scratchBytes_, keysBytes);
    scratch_ = DeviceArray<unsigned char>(scratchBytes_);
  }

 private:
  void enqueue(Records input, MutableRecords output, CUstream_st* stream) override {
    if (input.values != nullptr)
      sortPairs(input, output, stream);
    else
      sortKeys(input, output, stream);
  }

  void sortKeys(Records input, MutableRecords output, CUstream_st* stream) {
    SATDOF_CUDA(
        cub::DeviceRadixSort::SortKeys(scratch_.data(), scratchBytes_, input.keys, output.keys, count_, 0, 32, stream));
  }

  void sortPairs(Records input, MutableRecords output, CUstream_st* stream) {
    SATDOF_CUDA(cub::DeviceRadixSort::SortPairs(scratch_.data(), scratchBytes_, input.keys, output.keys, input.values,
                                                output.values, count_, 0, 32, stream));
  }

  std::uint32_t count_;
  std::size_t scratchBytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<Sorter> makeCubSorter(std::uint32_t count) { return std::make_unique<CubSorter>(count); }

}  // namespace satdof::cuda
