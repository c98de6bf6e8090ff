#pragma once
#include "cuda/runtime/device_array.h"
#include "cuda/sort/sorter.h"

namespace satdof::cuda {

// Where a sort puts its records between passes.
class ScratchRecords {
 public:
  explicit ScratchRecords(std::uint32_t count) : keys_(count), values_(count) {}
  // With values where `records` have them.
  MutableRecords like(Records records) const {
    return {keys_.data(), records.values != nullptr ? values_.data() : nullptr};
  }

 private:
  DeviceArray<std::uint32_t> keys_, values_;
};

}  // namespace satdof::cuda
