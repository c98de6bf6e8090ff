#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "cuda/scan/variants.h"
#include "cuda/sort/variants.h"

struct CUstream_st;

namespace satdof::cuda {

// Device arrays of 32-bit keys and values. `values` is null to sort only keys.
struct Records {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* values = nullptr;
};

struct MutableRecords {
  std::uint32_t* keys = nullptr;
  std::uint32_t* values = nullptr;
  operator Records() const { return {keys, values}; }
};

// Stable sort of a fixed number of records by ascending unsigned key. If only the device knows the number,
// pad with the key 0xffffffff: padding ends up last. Non-negative floats sort correctly by their bits. Owns
// its scratch memory, so one object serves one stream at a time.
class Sorter {
 public:
  virtual ~Sorter() = default;
  // Enqueues on `stream`: writes the sorted records to `output`. No two arrays may overlap. Does not allocate
  // or wait. Throws std::runtime_error if only one of input and output has values.
  void run(Records input, MutableRecords output, CUstream_st* stream) {
    if ((input.values == nullptr) != (output.values == nullptr))
      throw std::runtime_error(
          "cannot sort with values on one side only: give both input and output values, or neither");
    enqueue(input, output, stream);
  }

 private:
  virtual void enqueue(Records input, MutableRecords output, CUstream_st* stream) = 0;
};

// For `count` records. `scan` is used by variants with SortInfo::usesScan; Scan::fused stands for decoupled
// look-back. Throws std::runtime_error if `count` exceeds 2^30 or memory runs out.
std::unique_ptr<Sorter> makeSorter(Sort sort, std::uint32_t count, Scan scan = Scan::fused);

}  // namespace satdof::cuda
