#pragma once
#include "cuda/runtime/device_array.h"
#include "cuda/sort/sorter.h"

namespace satdof::cuda {

// Scratch memory for the records between the passes of a sort.
class ScratchRecords {
 public:
  explicit ScratchRecords(std::uint32_t count) : keys_(count), values_(count) {}
  // The scratch memory, with values if `records` have values.
  MutableRecords like(Records records) const {
    return {keys_.data(), records.values != nullptr ? values_.data() : nullptr};
  }

 private:
  DeviceArray<std::uint32_t> keys_, values_;
};

}  // namespace satdof::cuda
